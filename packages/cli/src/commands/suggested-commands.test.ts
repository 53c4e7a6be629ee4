import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandFailure } from '../command-failure.js';
import { createConnection } from '../connection/connection.js';
import { stoppedWaiting } from '../proposals/stopped-waiting.js';
import { proffer, start, temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { SERVER } from '../testing/guard-machine.js';
import { runHere } from '../testing/in-process.js';

/** The words that a program gets when a line is pasted into a shell; the value of PROFFER_HOME in front, if it has one. */
function pasted(line: string): readonly string[] {
  const print = `{ printf '%s\\0' "$@"; }`;
  const home = `printf 'home=%s\\0' "$PROFFER_HOME"`;
  const script = `proffer() { [ -z "\${PROFFER_HOME-}" ] || ${home}; ${print}; }; chmod() ${print}; ${line}`;
  const { PATH = '' } = process.env;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH }, cwd: tmpdir() })
    .split('\0')
    .slice(0, -1);
}

/** The first line that has this in it, from there on, as a shell reads it. */
function suggestion(text: string, beginning: string): readonly string[] {
  const line = text.split('\n').find((one) => one.includes(beginning)) ?? '';
  return pasted(line.slice(line.indexOf(beginning)));
}

const NASTY = 'it\'s $(id) `id` "x" ; & a';

/** A folder in a new one, with a name that a shell would take apart. */
async function nastyFolder() {
  const folder = await temporaryFolder();
  const path = join(folder.path, NASTY);
  mkdirSync(path);
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it('where no gateway answers, the options that were given are given again as they were', async () => {
  const url = 'http://127.0.0.1:1/a%20b;$(id)&x';
  const { stderr } = await runHere(['inbox', '--url', url, '--as', 'a;b', '--space', '$(id)']);
  const options = ['--url', url, '--space', '$(id)', '--as', 'a;b'];
  expect(suggestion(stderr, 'proffer doctor')).toEqual(['doctor', ...options]);
});

it('where the guards have no gateway, their folder is named as it is', async () => {
  await using home = await nastyFolder();
  const guards = join(home.path, 'guard');
  mkdirSync(guards);
  writeFileSync(join(guards, 'port'), '1\n');
  writeFileSync(join(guards, 'reviewer.token'), 'token\n');
  const { stderr } = await runHere(['inbox', '--guard'], { PROFFER_HOME: home.path });
  expect(suggestion(stderr, 'proffer log')).toEqual(['log', '--data', guards]);
});

it('a proposal can be decided and looked at by what is suggested, whatever it is called', async () => {
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

it.each(['$(id);x', '-x'])('a wait for %s that ended says what can be pasted', (id) => {
  const endpoint = { url: 'http://h', space: 'main', token: 't', assumed: false, data: NASTY } as const;
  const connection = createConnection({ ...endpoint, given: { guard: true } }, 'proffer');
  const { failure }: CommandFailure = stoppedWaiting('gone', { id, isApproved: true }, connection);
  const [stored = '', later = ''] = failure.next ?? [];
  expect(pasted(stored)).toEqual(expect.arrayContaining(['show', id, '--data', NASTY]));
  expect(pasted(later)).toEqual(expect.arrayContaining(['show', id, '--guard']));
});

it('a program that may not be run is named as it is', async () => {
  await using folder = await nastyFolder();
  const program = join(folder.path, 'no t x.sh');
  writeFileSync(program, '', { mode: 0o600 });
  const data = join(folder.path, 'data');
  const { stderr } = await proffer(['guard', '--data', data, '--gateway-port', '0', '--', program]);
  expect(suggestion(stderr, 'chmod')).toEqual(['+x', program]);
});

it('a configuration is named as it is', async () => {
  await using folder = await nastyFolder();
  const file = join(folder.path, 'my config.yaml');
  for (const { stdout, stderr } of [await runHere(['init', file]), await runHere(['init', file])])
    expect(suggestion(stdout + stderr, 'proffer up')).toEqual(['up', '--config', file]);
});

it('a guard says how to get to its inbox, also from a folder that a shell would take apart', async () => {
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
