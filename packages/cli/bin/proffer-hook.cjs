#!/usr/bin/env node
// The command of agents' hooks. It runs before every call of an agent, so it loads as little as it can, and as CommonJS:
// loading ES modules takes Node longer than all the rest of this.

// Agents run a call whose hook fails, except with exit code 2: whatever goes wrong here must not let one through.
process.on('uncaughtException', (error) => {
  process.stderr.write(`The Proffer hook failed, so the call is blocked: ${error.message}\n`);
  process.exit(2);
});

const { guardsFolder, launchAndExit, readArguments } = require('../dist/hook-launcher.cjs');

const asked = readArguments(process.argv.slice(2));
const data = asked.data === undefined ? [] : ['--data', asked.data];
void launchAndExit({
  asked,
  folder: asked.data ?? guardsFolder(process.env),
  serve: [process.execPath, `${__dirname}/proffer.js`, 'hook', 'serve', ...data],
});
