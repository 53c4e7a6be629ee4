#!/usr/bin/env node
// Stands apart from dist, so that npm finds it to link before the first build.
import '../dist/main.js';
