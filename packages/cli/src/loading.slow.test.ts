import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

async function loadedBy(
  ...args: readonly string[]
): Promise<{ readonly ended: Ended; readonly urls: string }> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'loaded');
  const env = { LOADED: file, NODE_OPTIONS: `--import=${WATCH}` };
  const ended = await proffer(args, { env, program: BUILT });
  return { ended, urls: await readFile(file, 'utf8') };
}

/** Modules that take longer to load than most commands take to run. */
const HEAVY =
  /(?:packages|@proffer)\/(?:journal|mcp|steward|wire)\/|client\/dist\/(?:index|node|participant|negotiation\/|operations\/)|\/(?:core|gateway|reading)\/dist\/index\.js|\/node_modules\/(?:yaml|ws|jose|zod|prom-client|@bufbuild|@grpc|@modelcontextprotocol)\//;

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
  const { ended, urls } = await loadedBy(...args);
  expect(ended.code).toBe(code);
  expect(urls).toContain('/cli/dist/main.js');
  expect(urls.split('\n').filter((url) => HEAVY.test(url))).toEqual([]);
});

it('loads what a command needs to run it', async () => {
  const { urls } = await loadedBy('verify', '--data', 'nowhere');
  expect(urls).toMatch(HEAVY);
});

it('a guard over stdio loads nothing for HTTP, rules files, negotiations, or running a gateway', async () => {
  const place = ['--url', 'http://127.0.0.1:1', '--token', 'x'];
  const { ended, urls } = await loadedBy('guard', ...place, '--', process.execPath, '-e', '0');
  expect(ended.code).toBe(3);
  expect(urls).toContain('/mcp/dist/guard/guard.js');
  const heavy =
    /\/node_modules\/(?:@modelcontextprotocol|zod|yaml|re2js|pino|@bufbuild|@grpc)\/|client\/dist\/negotiation\/|mcp\/dist\/http\/|gateway\/dist\/index\.js/;
  expect(urls.split('\n').filter((url) => heavy.test(url))).toEqual([]);
});
