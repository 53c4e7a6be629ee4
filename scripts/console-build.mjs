import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, step } from './step.mjs';
import { root } from './tools.mjs';

const folder = join(root, 'packages/console');
/** Says what the bundle was made from; written last, so what was cut short is done again. */
const mark = join(folder, 'dist/app/.built');

/** Everything that ends up in the bundle, and what decides how it is made. */
const SOURCES = ['console/src/app', 'core/src', 'client/src', 'wire/src'];
const OTHERS = ['scripts/console-build.mjs', 'packages/console/package.json', 'package-lock.json'];

/** Bundles the console, unless nothing that goes into it changed. */
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

/** From the sources of the workspace into `dist/app`, where the gateway takes it from. */
async function bundle() {
  // Loaded here: it may have been installed only a moment ago.
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
      // Every browser of the target knows modulepreload; the polyfill would be one more script.
      modulePreload: { polyfill: false },
      // A picture inside a style sheet would be a data: address, which the content policy keeps for results of tools.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        // How long plugins take is of no interest to whoever starts Proffer for the first time.
        checks: { bundlerTimings: false },
        input: { index: join(folder, 'src/app/index.html'), sw: join(folder, 'src/app/sw.ts') },
        output: {
          // A service worker keeps its name: browsers ask for it again under the same one.
          entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        },
      },
    },
  });
}

/** A hash over everything that the bundle depends on. */
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
