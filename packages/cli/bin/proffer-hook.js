#!/usr/bin/env node
// The command of agents' hooks. It runs before every call of an agent, so it loads as little as it can.
import { fileURLToPath } from 'node:url';
import { guardsFolder } from '@proffer/client/guards-path';
import { launchAndExit, readArguments } from '@proffer/hook/launch';

const asked = readArguments(process.argv.slice(2));
const proffer = fileURLToPath(new URL('./proffer.js', import.meta.url));
const data = asked.data === undefined ? [] : ['--data', asked.data];
await launchAndExit({
  asked,
  folder: asked.data ?? guardsFolder(process.env),
  serve: [process.execPath, proffer, 'hook', 'serve', ...data],
});
