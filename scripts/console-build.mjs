import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, step } from './step.mjs';
import { root } from './tools.mjs';

const folder = join(root, 'packages/console');
/** Records the inputs of the bundle; written last, so an interrupted build is repeated. */
const mark = join(folder, 'dist/app/.built');

/** All inputs of the bundle and of its configuration. */
const SOURCES = ['console/src/app', 'core/src', 'client/src', 'wire/src'];
const OTHERS = ['scripts/console-build.mjs', 'packages/console/package.json', 'package-lock.json'];

/** Bundles the console unless no input has changed. */
export async function buildConsole() {
  const wanted = fingerprint();
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  await step('Bundling the console (vite)', async () => {
    await bundle().catch((/** @type {Error} */ error) => {
      throw new Failure(
        `${error.message}\n\nThe console could not be bundled. Correct the above and run the same command again.`,
      );
    });
    writeFileSync(mark, wanted);
  });
}

/** From the workspace sources into `dist/app`, where the gateway reads it. */
async function bundle() {
  // Imported here: it may have been installed just now.
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: join(folder, 'src/app'),
    base: '/console/',
    logLevel: 'warn',
    resolve: { conditions: ['@proffer/source', 'browser', 'module', 'import', 'default'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: join(folder, 'dist/app'),
      emptyOutDir: true,
      target: 'es2022',
      // All target browsers support modulepreload; the polyfill would be another script.
      modulePreload: { polyfill: false },
      // An image inlined in a style sheet would be a data: URL, which the content policy reserves for tool
      // results.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        // Plugin timings do not interest someone who starts Proffer for the first time.
        checks: { bundlerTimings: false },
        input: { index: join(folder, 'src/app/index.html'), sw: join(folder, 'src/app/sw.ts') },
        output: {
          // A service worker must keep its file name: browsers update it under that name.
          entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  });
}

/** A hash over all inputs of the bundle. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const from = join(root, 'packages', source);
    const names = readdirSync(from, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const name of names) hash.update(`${name.slice(root.length)}\n`).update(readFileSync(name));
  }
  for (const name of OTHERS) hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}
