import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, step } from './step.mjs';
import { root } from './tools.mjs';

const packages = join(root, 'packages');
const CONSOLE = join(packages, 'console/dist/app');
const COMMAND = join(packages, 'cli/dist');
const EVIDENCE_PAGE = join(packages, 'evidence/dist/page');
const CLIENT = join(packages, 'client/dist');

/**
 * What is bundled, in order: the folder that the bundle fills, the sources it is made from, and how it is made.
 *
 * @type {ReadonlyArray<{ name: string, folder: string, sources: readonly string[], bundle: () => Promise<void> }>}
 */
const BUNDLES = [
  {
    name: 'console',
    folder: CONSOLE,
    sources: ['console/src/app', 'core/src', 'client/src', 'wire/src'],
    bundle: bundleConsole,
  },
  {
    name: 'evidence page',
    folder: EVIDENCE_PAGE,
    sources: ['evidence/src', 'core/src'],
    bundle: bundleEvidencePage,
  },
  {
    name: 'command',
    folder: COMMAND,
    sources: readdirSync(packages)
      .filter((name) => name !== 'adapters')
      .map((name) => `${name}/src`),
    bundle: bundleCommand,
  },
];

/** Bundles what has changed since it was last bundled. Types are not checked here. */
export async function buildBundles() {
  await bundleChanged(BUNDLES);
}

/** The client library for the examples, unless it is compiled: what runs Proffer has no compiler. */
export async function bundleClient() {
  if (existsSync(join(CLIENT, '.tsbuildinfo'))) return;
  const sources = ['client/src', 'core/src', 'wire/src'];
  const bundle = () =>
    bundleForNode({
      folder: CLIENT,
      entries: { node: join(packages, 'client/src/node.ts') },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    });
  await bundleChanged([{ name: 'client', folder: CLIENT, sources, bundle }]);
}

/** @param {typeof BUNDLES} bundles */
async function bundleChanged(bundles) {
  for (const { name, folder, sources, bundle } of bundles) {
    // Written last, so an interrupted build is repeated.
    const mark = join(folder, '.built');
    const wanted = fingerprint(sources);
    if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) continue;
    await step(`Bundling the ${name} (vite)`, async () => {
      await bundle().catch((/** @type {Error} */ error) => {
        throw new Failure(
          `${error.message}\n\nThe ${name} could not be bundled. Correct the above and run the same command again.`,
        );
      });
      writeFileSync(mark, wanted);
    });
  }
}

/**
 * From the workspace sources into `packages/console/dist/app`. The workers are bundled by themselves: each is a script,
 * which can import nothing, so it must not share a file with the page.
 */
async function bundleConsole() {
  const app = join(packages, 'console/src/app');
  await bundleForBrowsers(app, {
    input: join(app, 'index.html'),
    output: {
      entryFileNames: 'assets/[name]-[hash].js',
      // What the inbox needs is one file: a dozen small ones compress worse.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: 'inbox', tags: ['$initial'], test: /^(?!.*\/negotiation\/).*\.(?:tsx?|m?js|css)$/ }],
      },
    },
  });
  // Browsers update a service worker under its name, and the page names the workers: neither has a hash.
  await bundleForBrowsers(app, { input: join(app, 'sw.ts'), output: { entryFileNames: 'sw.js' } });
  await bundleForBrowsers(app, { input: join(app, 'verify.ts'), output: { entryFileNames: 'verify.js' } });
}

/**
 * One file that shows and checks the evidence in it: the script and the style are in the page, and the content policy allows
 * exactly these and no request.
 */
async function bundleEvidencePage() {
  const { build } = await import('vite');
  const sources = join(packages, 'evidence/src/page');
  const built = await build({
    configFile: false,
    root: sources,
    logLevel: 'warn',
    resolve: { conditions: BROWSER_CONDITIONS },
    build: {
      write: false,
      target: 'es2022',
      reportCompressedSize: false,
      lib: { entry: join(sources, 'main.ts'), formats: ['iife'], name: 'evidence' },
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  const [output] = [built].flat();
  const [chunk] = output !== undefined && 'output' in output ? output.output : [];
  const script = (chunk?.type === 'chunk' ? chunk.code : '').replaceAll('</script', '<\\/script');
  const style = readFileSync(join(sources, 'page.css'), 'utf8');
  const policy = `default-src 'none'; script-src ${allowed(script)}; style-src ${allowed(style)}; base-uri 'none'; form-action 'none'`;
  const page = readFileSync(join(sources, 'index.html'), 'utf8')
    .replace("default-src 'none'", () => policy)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`);
  mkdirSync(EVIDENCE_PAGE, { recursive: true });
  writeFileSync(join(EVIDENCE_PAGE, 'evidence.html'), page);
}

/**
 * What a content policy calls a text that is in the page itself.
 *
 * @param {string} text
 */
function allowed(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Sources before what is compiled from them. */
const BROWSER_CONDITIONS = ['@proffer/source', 'browser', 'module', 'import', 'default'];

/**
 * @param {string} app - the folder of the sources
 * @param {{ input: string, output: object }} options - a page empties the folder first
 */
async function bundleForBrowsers(app, { input, output }) {
  // Imported here: it may have been installed just now.
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: app,
    base: '/console/',
    logLevel: 'warn',
    resolve: { conditions: BROWSER_CONDITIONS },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: CONSOLE,
      emptyOutDir: input.endsWith('.html'),
      // The public files are copied with the page.
      copyPublicDir: input.endsWith('.html'),
      target: 'es2022',
      // All target browsers support modulepreload; the polyfill would be another script.
      // The first page loads one script. Lists of what else each view needs would be part of it.
      modulePreload: false,
      // An image inlined in a style sheet would be a data: URL, which the content policy reserves for tool
      // results.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        // Plugin timings do not interest someone who starts Proffer for the first time.
        checks: { bundlerTimings: false },
        input,
        output,
      },
    },
  });
}

/**
 * The `proffer` command with everything it uses, into `packages/cli/dist`, with the console beside it: few
 * files start in half the time of a thousand, and the package needs no other package of ours. It is not one
 * file, because Node would read the gateway to print a help text.
 */
async function bundleCommand() {
  rmSync(COMMAND, { recursive: true, force: true });
  await bundleForNode({
    folder: COMMAND,
    entries: {
      main: join(packages, 'cli/src/main.ts'),
      'deciding-thread': join(packages, 'cli/src/journal/deciding-thread.ts'),
    },
    output: {
      format: 'es',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // Commands are small, and help needs all of them.
      codeSplitting: {
        groups: [{ name: 'commands', test: /packages\/cli\/src\/(?:program|(?:negotiation\/)?commands\/)/ }],
      },
    },
  });
  // CommonJS: loading ES modules takes Node longer than all the rest of a hook command.
  await bundleForNode({
    folder: COMMAND,
    entries: { 'hook-launcher': join(packages, 'cli/src/hook-launcher.ts') },
    output: { format: 'cjs', entryFileNames: '[name].cjs' },
  });
  cpSync(CONSOLE, join(COMMAND, 'app'), { recursive: true });
  cpSync(join(EVIDENCE_PAGE, 'evidence.html'), join(COMMAND, 'page/evidence.html'));
}

/**
 * @param {{ folder: string, entries: Record<string, string>, output: import('vite').Rolldown.OutputOptions }} options
 */
async function bundleForNode({ folder, entries, output }) {
  const { build } = await import('vite');
  const resolve = { conditions: ['@proffer/source', 'node'] };
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve,
    ssr: { noExternal: true, external: NOT_BUNDLED, resolve },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      // Stack traces in bug reports name functions and lines.
      minify: false,
      // A command may be loaded with help and, by itself, without it.
      rolldownOptions: {
        checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
        input: entries,
        output,
      },
    },
  });
}

/** Packages that read files of their own, that depend on the order in which they load, or that are large and rarely needed. */
const NOT_BUNDLED = ['pino', 'fs-native-extensions', 're2js', 'yaml', '@simplewebauthn/server'];

/**
 * A hash over all inputs of a bundle.
 *
 * @param {readonly string[]} sources
 */
function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const from = join(packages, source);
    const names = readdirSync(from, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const name of names) hash.update(`${name.slice(root.length)}\n`).update(readFileSync(name));
  }
  for (const name of ['scripts/bundles.mjs', 'package-lock.json'])
    hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}
