#!/usr/bin/env node
// Separate from dist, so that npm can link it before the first build.
import '../dist/main.js';
