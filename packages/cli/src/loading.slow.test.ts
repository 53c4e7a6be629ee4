import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BUILT, type Ended, proffer, temporaryFolder } from './testing/cli.js';

const asModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** Records everything that a process loads. */
const WATCH = asModule(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    asModule(`
      import { appendFileSync } from 'node:fs';
      export async function load(url, context, next) {
        appendFileSync(process.env.LOADED, url + '\\n');
        return await next(url, context);
      }`),
  )});`);

/** Runs the built command; `modules` are those in the files that it loaded, as `packages/core/src/hash/sha256.ts`. */
async function loadedBy(
  ...args: readonly string[]
): Promise<{ readonly ended: Ended; readonly modules: readonly string[] }> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'loaded');
  const env = { LOADED: file, NODE_OPTIONS: `--import=${WATCH}` };
  const ended = await proffer(args, { env, program: BUILT });
  const urls = (await readFile(file, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
  const files = await Promise.all(urls.map((url) => readFile(fileURLToPath(url), 'utf8')));
  // The bundler leaves the path of each module above its code.
  const bundled = files.flatMap((text) => text.match(/(?<=^\/\/ )(?:packages|node_modules)\/\S+$/gm) ?? []);
  return { ended, modules: [...urls, ...bundled] };
}

/** Modules that take longer to load than most commands take to run. */
const HEAVY =
  /packages\/(?:journal|mcp|steward|wire)\/|client\/src\/(?:index|node|participant|negotiation\/|operations\/)|gateway\/src\/(?:gateway|host\/|transports\/)|node_modules\/(?:yaml|ws|jose|zod|prom-client|@bufbuild|@grpc|@modelcontextprotocol)\//;

it.each([
  ['help', ['--help'], 0],
  ['help with every option', ['guard', '--help'], 0],
  ['a mistake', ['prpose'], 2],
  ['a mistake about a command that takes long to load', ['up', '--prot', '1'], 2],
  ['the completion script', ['completion', 'bash'], 0],
  ['a token', ['token', 'bob'], 0],
  ['a request to a gateway', ['inbox', '--url', 'http://127.0.0.1:1'], 3],
  ['a decision', ['approve', 'x', '--url', 'http://127.0.0.1:1'], 3],
] as const)('%s loads no gateway, no client and no rules', async (_title, args, code) => {
  const { ended, modules } = await loadedBy(...args);
  expect(ended.code).toBe(code);
  expect(modules).toContain('packages/cli/src/main.ts');
  expect(modules.filter((module) => HEAVY.test(module))).toEqual([]);
});

it('loads what a command needs to run it', async () => {
  const { modules } = await loadedBy('verify', '--data', 'nowhere');
  expect(modules.filter((module) => HEAVY.test(module))).not.toEqual([]);
});

it('a guard over stdio loads nothing for HTTP, rules files, negotiations, or running a gateway', async () => {
  const place = ['--url', 'http://127.0.0.1:1', '--token', 'x'];
  const { ended, modules } = await loadedBy('guard', ...place, '--', process.execPath, '-e', '0');
  expect(ended.code).toBe(3);
  expect(modules).toContain('packages/mcp/src/guard/guard.ts');
  const heavy =
    /node_modules\/(?:@modelcontextprotocol|zod|yaml|re2js|pino|@bufbuild|@grpc)\/|client\/src\/negotiation\/|mcp\/src\/http\/|gateway\/src\/(?:gateway|host\/|transports\/)/;
  expect(modules.filter((module) => heavy.test(module))).toEqual([]);
});
