import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandFailure } from '../command-failure.js';
import { createConnection } from '../connection/connection.js';
import { stoppedWaiting } from '../proposals/await-outcome.js';
import { proffer, start, temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { SERVER } from '../testing/guard-machine.js';
import { runHere } from '../testing/in-process.js';

/**
 * The words a program gets when a line is pasted into a shell; preceded by the value of PROFFER_HOME, if set.
 */
function pasted(line: string): readonly string[] {
  const print = `{ printf '%s\\0' "$@"; }`;
  const home = `printf 'home=%s\\0' "$PROFFER_HOME"`;
  const script = `proffer() { [ -z "\${PROFFER_HOME-}" ] || ${home}; ${print}; }; chmod() ${print}; ${line}`;
  const { PATH = '' } = process.env;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH }, cwd: tmpdir() })
    .split('\0')
    .slice(0, -1);
}

/** The rest of the first line from this text on, as a shell parses it. */
function suggestion(text: string, beginning: string): readonly string[] {
  const line = text.split('\n').find((one) => one.includes(beginning)) ?? '';
  return pasted(line.slice(line.indexOf(beginning)));
}

const NASTY = 'it\'s $(id) `id` "x" ; & a';

/** A folder, inside a new one, whose name needs quoting in a shell. */
async function nastyFolder() {
  const folder = await temporaryFolder();
  const path = join(folder.path, NASTY);
  mkdirSync(path);
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it('repeats the given options verbatim when no gateway answers', async () => {
  const url = 'http://127.0.0.1:1/a%20b;$(id)&x';
  const { stderr } = await runHere(['inbox', '--url', url, '--as', 'a;b', '--space', '$(id)']);
  const options = ['--url', url, '--space', '$(id)', '--as', 'a;b'];
  expect(suggestion(stderr, 'proffer doctor')).toEqual(['doctor', ...options]);
});

it("names the guards' folder as it is when they have no gateway", async () => {
  await using home = await nastyFolder();
  const guards = join(home.path, 'guard');
  mkdirSync(guards);
  writeFileSync(join(guards, 'port'), '1\n');
  writeFileSync(join(guards, 'reviewer.token'), 'token\n');
  const { stderr } = await runHere(['inbox', '--guard'], { PROFFER_HOME: home.path });
  expect(suggestion(stderr, 'proffer log')).toEqual(['log', '--data', guards]);
});

it('suggests working commands for a proposal, whatever its id', async () => {
  await using gateway = await startDevGateway();
  for (const id of ['$(id);x', '-x', "it's"]) {
    const proposed = await runHere([
      'propose',
      'echo',
      '--arg',
      'text=x',
      `--id=${id}`,
      '--no-wait',
      '--url',
      gateway.url,
    ]);
    const approve = suggestion(proposed.stdout, 'proffer approve');
    expect(await runHere(approve)).toMatchObject({ code: 0 });
    const { stderr } = await runHere(approve);
    const show = await runHere(suggestion(stderr, 'proffer show'));
    expect([show.code, show.stdout]).toEqual([0, expect.stringContaining(id)]);
  }
});

it.each(['$(id);x', '-x'])('suggests a command that can be pasted after an interrupted wait for %s', (id) => {
  const endpoint = { url: 'http://h', space: 'main', token: 't', assumed: false, data: NASTY } as const;
  const connection = createConnection({ ...endpoint, given: { guard: true } }, 'proffer');
  const { failure }: CommandFailure = stoppedWaiting('gone', { id, isApproved: true }, connection);
  const [stored = '', later = ''] = failure.next ?? [];
  expect(pasted(stored)).toEqual(expect.arrayContaining(['show', id, '--data', NASTY]));
  expect(pasted(later)).toEqual(expect.arrayContaining(['show', id, '--guard']));
});

it('names a program that may not be run as it is', async () => {
  await using folder = await nastyFolder();
  const program = join(folder.path, 'no t x.sh');
  writeFileSync(program, '', { mode: 0o600 });
  const data = join(folder.path, 'data');
  const { stderr } = await proffer(['guard', '--data', data, '--gateway-port', '0', '--', program]);
  expect(suggestion(stderr, 'chmod')).toEqual(['+x', program]);
});

it('names a configuration as it is', async () => {
  await using folder = await nastyFolder();
  const file = join(folder.path, 'my config.yaml');
  for (const { stdout, stderr } of [await runHere(['init', file]), await runHere(['init', file])])
    expect(suggestion(stdout + stderr, 'proffer up')).toEqual(['up', '--config', file]);
});

it('a guard suggests a working inbox command, also from a folder whose name needs quoting', async () => {
  await using home = await nastyFolder();
  const data = join(home.path, 'other');
  const command = ['--', process.execPath, SERVER, home.path];
  const free = ['guard', '--gateway-port', '0'];
  const shared = start([...free, ...command], { env: { PROFFER_HOME: home.path } });
  const own = start([...free, '--data', data, ...command]);
  const sharedInbox = suggestion(await shared.until(/in a terminal: .*\n/), 'PROFFER_HOME=');
  expect(sharedInbox).toEqual([`home=${home.path}`, 'inbox', '--watch', '--guard']);
  const ownInbox = suggestion(await own.until(/in a terminal: .*\n/), 'proffer inbox');
  const token = readFileSync(join(data, 'reviewer.token'), 'utf8').trim();
  expect(ownInbox.slice(-2)).toEqual(['--token', token]);
  for (const { child } of [shared, own]) child.stdin?.end();
  await Promise.all([shared.ended, own.ended]);
  const { stderr } = await runHere(['show', 'nothing', '--data', data]);
  expect(suggestion(stderr, 'proffer replay')).toEqual(['replay', '--data', join(data, 'journal')]);
});
