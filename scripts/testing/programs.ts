import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const MARK = '.program';
const RESOLVE = { conditions: ['@proffer/source', 'node'] };

/**
 * Lets tests run sources as processes: `import file from './some-main.program'` returns the path of a file
 * for node, bundled from `some-main.ts` without building the packages. Each is bundled once per run, on first
 * use, into one folder that is removed after the run.
 */
export function programs(): Plugin {
  let top = '';
  let made: Promise<string> | undefined;

  async function makeFolder(): Promise<string> {
    // Packages that are not bundled are resolved from here.
    const folder = await mkdtemp(join(top, 'node_modules/.proffer-programs-'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
    return folder;
  }

  return {
    name: 'proffer:programs',
    enforce: 'pre',
    configResolved({ root }) {
      top = root;
    },
    async resolveId(source, importer) {
      if (!source.endsWith(MARK)) return undefined;
      const found = await this.resolve(`${source.slice(0, -MARK.length)}.js`, importer);
      return found === null ? null : `${found.id}${MARK}`;
    },
    async load(id) {
      if (!id.endsWith(MARK)) return undefined;
      made ??= makeFolder();
      const source = id.slice(0, -MARK.length);
      const [owner = ''] = relative(top, source).split('/src/');
      const folder = join(await made, owner);
      const name = basename(source, '.ts');
      await bundle({ top, folder, source, name });
      return `export default ${JSON.stringify(join(folder, `${name}.js`))};`;
    },
    async buildEnd() {
      if (made !== undefined) await rm(await made, { recursive: true, force: true });
      made = undefined;
    },
  };
}

/** What a package finds next to its sources or above them, such as its package.json, it finds from the bundle too. */
function ownPlaces(packages: string): Plugin {
  return {
    name: 'proffer:own-places',
    enforce: 'pre',
    transform: (code, id) =>
      id.startsWith(packages)
        ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        : undefined,
  };
}

interface Bundled {
  readonly top: string;
  readonly folder: string;
  readonly source: string;
  readonly name: string;
}

/**
 * Includes all dependencies, since a few files load faster than a few hundred, except those that read files
 * of their own: the logger, the native file lock, and the browser driver.
 */
async function bundle({ top, folder, source, name }: Bundled): Promise<void> {
  await build({
    root: top,
    configFile: false,
    logLevel: 'error',
    plugins: [ownPlaces(join(top, 'packages/'))],
    resolve: RESOLVE,
    ssr: {
      noExternal: true,
      external: ['pino', 'fs-native-extensions', 'playwright-core'],
      resolve: RESOLVE,
    },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { [name]: source },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
