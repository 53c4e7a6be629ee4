// npm run conformance:mcp [-- URL]: runs the MCP conformance suite against a server, directly and through `proffer guard`,
// and lists the checks that pass only without the guard.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build, ready } from './prepare.mjs';
import { run } from './run.mjs';
import { main } from './step.mjs';
import { root } from './tools.mjs';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];
const RULES = 'version: "1"\ndefault: allow\n';

/** @typedef {Map<string, readonly string[]>} Checks - the statuses of each check, by scenario and name */

/**
 * Runs the suite against a server.
 *
 * @param {string} url
 * @param {{ revision: string, folder: string }} where - `folder`: for the results
 * @returns {Promise<Checks>}
 */
async function check(url, { revision, folder }) {
  // The suite imports `globSync` from `fs`, which Node has since version 22; only other commands need it.
  const shim = pathToFileURL(join(root, 'scripts/mcp-suite/fs-glob.mjs')).href;
  const args = [
    '-y',
    SUITE,
    'server',
    '--url',
    url,
    '-o',
    folder,
    '--suite',
    'all',
    '--spec-version',
    revision,
  ];
  const { output } = await run('npx', args, { env: { NODE_OPTIONS: `--import=${shim}` }, cwd: tmpdir() });
  /** @type {Checks} */
  const found = new Map();
  for (const entry of await readdir(folder).catch(() => [])) {
    const scenario = entry.replace(/-\d{4}-\d\d-\d\dT.*$/, '').replace(/^server-/, '');
    for (const { id, status } of JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8')))
      found.set(`${scenario}: ${id}`, [...(found.get(`${scenario}: ${id}`) ?? []), status]);
  }
  if (found.size === 0) throw new Error(`The suite checked nothing:\n${output}`);
  return found;
}

/** @param {readonly string[] | undefined} statuses */
const passes = (statuses) =>
  statuses !== undefined && statuses.every((status) => status === 'SUCCESS' || status === 'INFO');

/**
 * Starts a Node program; resolves with the match of a pattern in its output.
 *
 * @param {readonly string[]} args
 * @param {RegExp} pattern
 * @param {Record<string, string>} [env]
 */
async function start(args, pattern, env = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  process.once('exit', () => child.kill());
  const said = await new Promise((resolve, reject) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found[1] ?? '');
    });
    child.once('close', () => reject(new Error(`It ended without ${pattern}:\n${text}`)));
  });
  const stop = async () => {
    const closed = once(child, 'close');
    child.kill();
    await closed;
  };
  return { said, stop };
}

/** A free port. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/** The MCP reference server, the default. */
async function startReference() {
  const port = await freePort();
  const program = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const server = await start([program, 'streamableHttp'], /(listening)/, { PORT: String(port) });
  return { ...server, url: `http://127.0.0.1:${port}/mcp` };
}

await main(async () => {
  await ready();
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'proffer-mcp-suite-'));
  const rules = join(folder, 'rules.yaml');
  await writeFile(rules, RULES);
  const [given] = process.argv.slice(2);
  const reference = given === undefined ? await startReference() : undefined;
  const url = given ?? reference?.url ?? '';
  const place = ['--data', join(folder, 'data'), '--gateway-port', '0', '--http', '0'];
  const args = ['guard', ...place, '--rules', rules, '--server-url', url];
  const guard = await start([join(root, 'packages/cli/dist/main.js'), ...args], /clients reach it at (\S+)/);
  let worse = 0;
  for (const revision of REVISIONS) {
    const direct = await check(url, { revision, folder: join(folder, `${revision}-direct`) });
    const guarded = await check(guard.said, { revision, folder: join(folder, `${revision}-guarded`) });
    const lost = [...direct].filter(([name, statuses]) => passes(statuses) && !passes(guarded.get(name)));
    worse += lost.length;
    const count = (/** @type {Checks} */ checks) => [...checks.values()].filter(passes).length;
    console.log(`${revision}: ${count(direct)} checks pass directly, ${count(guarded)} through the guard`);
    for (const [name] of lost) console.log(`  only without the guard: ${name}`);
  }
  await guard.stop();
  await reference?.stop();
  if (worse === 0) await rm(folder, { recursive: true });
  else console.log(`What the suite says is in ${folder}.`);
  return worse === 0 ? 0 : 1;
});
