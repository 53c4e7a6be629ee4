#!/usr/bin/env node
// Agent settings written by an earlier version name this file, and agents continue without a missing hook.
import './proffer-hook.cjs';
