import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const TOP = fileURLToPath(new URL('../../../..', import.meta.url));

/** Programs that tests run as processes of their own, each one file that node runs without a build of the packages. */
export interface Programs extends AsyncDisposable {
  /** A guard: `guard.mjs OPTIONS-AS-JSON`. */
  readonly guard: string;
  /** The notes server over stdio: `notes.mjs FILE [FOLDER]`. */
  readonly notes: string;
  /** A server with every feature of 2026-07-28: `showcase.mjs [http]`. */
  readonly showcase: string;
}

/**
 * Bundles them from the sources, with all that they depend on, since a few files are read sooner than a few
 * hundred; all but the logger, which reads files of its own and is found from where they lie. Removed with
 * `await using`.
 */
export async function bundlePrograms(): Promise<Programs> {
  const folder = await mkdtemp(join(TOP, 'node_modules/.proffer-mcp-'));
  const source = (name: string): string => fileURLToPath(new URL(`${name}-main.ts`, import.meta.url));
  await build({
    root: TOP,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@proffer/source', 'node'] },
    ssr: {
      noExternal: true,
      external: ['pino'],
      resolve: { conditions: ['@proffer/source', 'node'] },
    },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { guard: source('guard'), notes: source('notes'), showcase: source('showcase') },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  return {
    guard: join(folder, 'guard.mjs'),
    notes: join(folder, 'notes.mjs'),
    showcase: join(folder, 'showcase.mjs'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
