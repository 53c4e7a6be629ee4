import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { natsSettings } from '@proffer/journal/testing/nats-servers';
import { describe, expect, it } from 'vitest';
import { MAIN, proffer, start, temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';
import { startUp } from '../testing/up-process.js';

/** The output of `show` without what differs each time: the id, times and the temporary folder. */
function withoutTimes(shown: string): string {
  return shown
    .replace(/^\S+/, 'ID')
    .replaceAll(/^(?:\d\d:\d\d:\d\d|\+ [\d.]+ m?s) +/gm, 'TIME ')
    .replaceAll(/after [\d.]+ m?s/g, 'after TIME')
    .replaceAll(/\S+\/plan\.md/g, 'FOLDER/plan.md')
    .trim();
}

describe('proffer up', () => {
  it('dev mode prints addresses, participants and next steps, and stops when told to', async () => {
    await using gateway = await startUp();
    expect(gateway.greeting).toContain('Proffer is running  in dev mode, on this machine only');
    expect(gateway.greeting).toMatch(/gRPC +127\.0\.0\.1:\d+/);
    expect(gateway.greeting).toMatch(/WebSocket +ws:\/\/127\.0\.0\.1:\d+\/ws\?space=main/);
    expect(gateway.greeting).toContain(`journal     ${gateway.data}`);
    for (const name of ['agent', 'reviewer', 'steward', 'tools'])
      expect(gateway.greeting).toMatch(new RegExp(`^ {4}${name} `, 'm'));
    expect(gateway.greeting).toContain('proffer propose edit_note --arg name=plan.md');
    const [, notes = ''] = /notes are in (\S+?);/.exec(gateway.greeting) ?? [];
    const edit = ['name=plan.md', 'old_text=Friday at 18:00', 'new_text=Monday at 10:00'];
    const args = edit.flatMap((one) => ['--arg', one]);
    await gateway.run('propose', 'edit_note', ...args, '--id', 'edit', '--no-wait');
    await gateway.run('approve', 'edit', '--set', 'new_text=Monday at 9:00');
    expect(await readFile(join(notes, 'plan.md'), 'utf8')).toContain('Ship on Monday at 9:00');
    const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8');
    const [, shown = ''] = /^\$ npx proffer show \S+\n([\s\S]*?)^```/m.exec(readme) ?? [];
    const { stdout } = await gateway.run('show', 'edit');
    expect(withoutTimes(stdout)).toBe(withoutTimes(shown));
    expect(await gateway.stop()).toMatchObject({ code: 0, stderr: expect.stringContaining('Stopped.') });
    await expect(stat(notes)).rejects.toThrow('ENOENT');
  });

  it('is found by the inbox on any port, without being named, until it stops', async () => {
    await using folder = await temporaryFolder();
    const env = { PROFFER_HOME: folder.path };
    const up = start(['up', '--dev', '--port', '0', '--data', join(folder.path, 'journal')], { env });
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    await runHere(['propose', 'echo', '--arg', 'text=x', '--id', 'found', '--no-wait', '--url', url]);
    const listed = await runHere(['inbox'], env);
    expect(listed.stdout).toMatch(new RegExp(`Pending at ${url}:\\n[^]*found +agent +echo`));
    up.child.kill('SIGTERM');
    await up.ended;
    expect(await readdir(join(folder.path, 'guard', 'gateways'))).toEqual([]);
  });

  it('I-1: keeps what was accepted across a restart', async () => {
    await using gateway = await startUp();
    await gateway.run('propose', 'echo', '--arg', 'text=kept', '--id', 'kept', '--no-wait');
    await gateway.stop();
    const again = start(['up', '--dev', '--port', '0', '--data', gateway.data]);
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await again.until(/Ctrl-C stops it/)) ?? [];
    const approved = await runHere(['approve', 'kept', '--url', url]);
    again.child.kill('SIGINT');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('│ kept') });
    expect((await again.ended).code).toBe(0);
  });

  it('N-7: starts a gateway from the variables of a MACP runtime alone, for the participants they name', async () => {
    await using folder = await temporaryFolder();
    const tokens = JSON.stringify({ tokens: [{ token: 'secret-of-buyer', sender: 'buyer' }] });
    const env = {
      MACP_AUTH_TOKENS_JSON: tokens,
      PROFFER_LISTEN_HTTP: '127.0.0.1:0',
      MACP_BIND_ADDR: '127.0.0.1:0',
    };
    const up = start(['up'], { cwd: folder.path, env });
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    const whoami = (token: string): Promise<Response> =>
      fetch(`${url}/whoami`, { headers: { authorization: `Bearer ${token}` } });
    const [known, unknown] = await Promise.all([whoami('secret-of-buyer'), whoami('buyer')]);
    up.child.kill('SIGTERM');
    await up.ended;
    expect(await known.json()).toMatchObject({ participant: 'buyer' });
    expect(unknown.status).toBe(401);
    expect(await readdir(folder.path)).toEqual(['proffer-data']);
  });

  it('exits with 1 and advice if a folder or port is in use', async () => {
    await using gateway = await startUp();
    const locked = await proffer(['up', '--dev', '--port', '0', '--data', gateway.data]);
    expect(locked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('proffer up --dev --data FOLDER'),
    });
    await using folder = await temporaryFolder();
    const port = new URL(gateway.url).port;
    const taken = await proffer(['up', '--dev', '--port', port, '--data', join(folder.path, 'journal')]);
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('proffer up --dev --port 0') });
    expect(taken.stderr).toContain(`--port ${port} (listen.http)`);
  });

  it.each(['file', 'file/journal', '/proc/nope'])(
    'says what to do about %s, where no journal can be created',
    async (data) => {
      await using folder = await temporaryFolder();
      const cwd = folder.path;
      await writeFile(join(cwd, 'file'), '');
      const { code, stderr } = await proffer(['up', '--dev', '--port', '0', '--data', data], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain('proffer up --dev --data FOLDER');
      expect(stderr).not.toMatch(/in a moment|the operator/);
    },
  );

  it('doctor reports that the gateway on the port uses a different journal', async () => {
    await using gateway = await startUp();
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    const config = `dev: true\nlisten: { http: "127.0.0.1:${new URL(gateway.url).port}" }\n`;
    await writeFile(join(cwd, 'proffer.yaml'), config);
    const strange = await proffer(['doctor'], { cwd });
    expect(strange.code).toBe(1);
    expect(strange.stdout).toContain(`does not use ${join(cwd, 'proffer-data')}`);
    expect(strange.stdout).not.toContain('No problems found');
    const own = await proffer(['doctor', '--data', gateway.data], { cwd });
    expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('is in use by a running gateway') });
  });

  it('suggests another gRPC port if that one is taken', async () => {
    await using gateway = await startUp();
    await using folder = await temporaryFolder();
    const [, grpc = ''] = /gRPC +127\.0\.0\.1:(\d+)/.exec(gateway.greeting) ?? [];
    const args = ['up', '--dev', '--port', '0', '--grpc-port', grpc, '--data', folder.path];
    const { code, stderr } = await proffer(args);
    expect(code).toBe(1);
    expect(stderr).toContain('listen.grpc');
    expect(stderr).toContain('proffer up --dev --port 0 --grpc-port 0');
  });

  it('dev mode uses a separate journal, and says that it ignores proffer.yaml', async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    await proffer(['init'], { cwd });
    const up = start(['up', '--dev', '--port', '0'], { cwd });
    const said = await up.until(/Ctrl-C stops it[^]*ignored in dev mode/);
    up.child.kill('SIGTERM');
    await up.ended;
    expect(said).toContain(`journal     ${join(cwd, 'proffer-dev-data')}`);
    expect(said).toContain('in another terminal, in this folder');
    expect(await readdir(cwd)).not.toContain('proffer-data');
  });

  it('dev mode must be requested', async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await proffer(['up'], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain('proffer up --dev');
    expect(stderr).toContain('proffer init');
  });

  it('exits with 2, the line and a suggestion for a wrong key in the configuration', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'wrong.yaml'), 'dev: true\nlisen: {}\n');
    const { code, stderr } = await proffer(['up', '--config', 'wrong.yaml'], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain('wrong.yaml:2:1: lisen:');
    expect(stderr).toContain('Did you mean listen?');
  });

  it('init, up and a token from init work together; without a token it says what to do', async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    const { stdout } = await proffer(['init'], { cwd });
    const [, token = ''] = /reviewer +(pf_\S+)/.exec(stdout) ?? [];
    const again = await proffer(['init'], { cwd });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    const up = start(['up', '--port', '0', '--log-level', 'silent'], { cwd });
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    const env = { PROFFER_URL: url };
    expect(await up.until(/doctor/)).toContain(`proffer inbox --token … --url ${url}`);
    const known = await runHere(['inbox', '--json'], { ...env, PROFFER_TOKEN: token });
    expect(known.code).toBe(0);
    // Another gateway may run on this machine, and is listed then.
    expect(JSON.parse(known.stdout)).toMatchObject({ proposals: [], more: 0 });
    const unknown = await runHere(['inbox'], env);
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('which works only in dev mode'),
    });
    const named = await runHere(['inbox', '--as', 'reviewer'], env);
    expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('--as works only in dev mode') });
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
  });

  it('I-1: stops when told to, even while it waits for NATS to start', async () => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    // Accepts connections, and never says anything.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const nats = natsSettings([`nats://127.0.0.1:${port}`]);
    await writeFile(join(cwd, 'proffer.yaml'), `dev: true\njournal: { backend: nats, nats: ${nats} }\n`);
    const connected = once(silent, 'connection');
    const up = start(['up', '--port', '0'], { cwd });
    await connected;
    up.child.kill('SIGTERM');
    const { code, stderr } = await up.ended;
    silent.close();
    expect(code).toBe(0);
    expect(stderr).toContain('Stopped before the gateway was ready.');
  });

  it('stops when told to, even if its log cannot be written any more', async () => {
    await using folder = await temporaryFolder();
    // Like a closed terminal: every write fails.
    await using full = await open('/dev/full', 'w');
    const args = [MAIN, 'up', '--dev', '--port', '0', '--log-level', 'info'];
    const child = spawn(process.execPath, args, { cwd: folder.path, stdio: ['ignore', 'pipe', full.fd] });
    let greeting = '';
    for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
      greeting += String(text);
      if (greeting.includes('Ctrl-C stops it')) break;
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
