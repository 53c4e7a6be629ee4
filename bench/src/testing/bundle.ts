import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const TOP = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The sources of the benchmarks as files that node runs, so that their processes need no build of the
 * packages. What the packages depend on is in them, since a few files are read sooner than a few hundred;
 * all but the logger, which reads files of its own and is found from where they lie. Removed with `await using`.
 */
export async function bundleBenchmarks(): Promise<AsyncDisposable & { readonly main: string }> {
  const folder = await mkdtemp(join(TOP, 'node_modules/.proffer-bench-'));
  const entry = (name: string): string => fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
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
        input: { main: entry('main'), 'companion-main': entry('companion-main') },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  return {
    main: join(folder, 'main.js'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
