#!/usr/bin/env node
// Settings of agents that were installed by an earlier version name this file. Agents go on when a hook is missing.
import './proffer-hook.cjs';
