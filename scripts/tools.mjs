import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The scripts that start the tools, so that no shell and no PATH is needed. */
const SCRIPTS = {
  biome: '@biomejs/biome/bin/biome',
  buf: '@bufbuild/buf/bin/buf',
  oxlint: 'oxlint/bin/oxlint',
  tsc: 'typescript/bin/tsc',
  vitest: 'vitest/vitest.mjs',
};

/**
 * Runs an installed tool in the root folder.
 *
 * @param {keyof typeof SCRIPTS} name
 * @param {readonly string[]} args
 * @param {{ stream?: boolean, env?: Record<string, string> }} [options]
 */
export function tool(name, args, options = {}) {
  return node([join(root, 'node_modules', SCRIPTS[name]), ...args], options);
}

/**
 * Runs Node in the root folder.
 *
 * @param {readonly string[]} args
 * @param {{ stream?: boolean, env?: Record<string, string> }} [options]
 */
export function node(args, options = {}) {
  return run(process.execPath, args, { ...options, cwd: root });
}
