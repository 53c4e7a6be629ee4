import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { Failure } from '../step.mjs';
import { root } from '../tools.mjs';

const CORE = join(root, 'packages/core/src');
const MAIN = 'operations/testing/fuzz/fuzz-main.ts';
const FRAMES = join(root, 'packages/gateway/src/testing/frame-fuzz');
const SHELL_MAIN = join(root, 'packages/hook/src/testing/shell-fuzz/fuzz-main.ts');

/** Bundles the fuzzer of decisions. Returns its path. */
export function bundleFuzz(sources = CORE, name = 'fuzz') {
  return bundle(join(sources, MAIN), name);
}

/** Bundles the fuzzer of shell lines. Returns its path. */
export function bundleShellFuzz() {
  return bundle(SHELL_MAIN, 'fuzz-shell');
}

/** Bundles the fuzzer of frames, and the gateway that it attacks. Returns its path. */
export async function bundleFrameFuzz() {
  await bundle(join(FRAMES, 'gateway-main.ts'), 'fuzz-frames');
  return bundle(join(FRAMES, 'fuzz-main.ts'), 'fuzz-frames');
}

/**
 * Makes one plain file: it takes twice as long in the test runner.
 *
 * @param {string} main
 * @param {string} name
 */
async function bundle(main, name) {
  const outDir = join(root, 'node_modules/.cache', name);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@proffer/source'] },
    ssr: {
      resolve: { conditions: ['@proffer/source'], externalConditions: ['@proffer/source'] },
      noExternal: [/^@proffer\//],
    },
    build: { ssr: main, outDir, emptyOutDir: false, target: 'node20', minify: false },
  });
  await writeFile(join(outDir, 'package.json'), '{ "type": "module" }\n');
  return join(outDir, 'fuzz-main.js');
}

/**
 * Like `bundleFuzz`, with one rule of core broken.
 *
 * @param {import('./mutants.mjs').Mutant} mutant
 */
export async function bundleMutant({ breaks, file, from, to }) {
  const sources = join(root, 'node_modules/.cache/fuzz-mutant-sources');
  await rm(sources, { recursive: true, force: true });
  await mkdir(sources, { recursive: true });
  await cp(CORE, sources, { recursive: true });
  const path = join(sources, 'operations', file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from))
    throw new Failure(`${file} no longer has the text to break for "${breaks}": ${from}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  return bundleFuzz(sources, 'fuzz-mutant');
}
