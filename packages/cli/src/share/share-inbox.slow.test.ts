import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { connect } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { openMachineFolder, reviewToken } from '../guard/machine-folder.js';
import { createStyle, type Shell } from '../terminal/shell.js';
import { proffer } from '../testing/cli.js';
import { machine, next } from '../testing/guard-machine.js';
import { runHere } from '../testing/in-process.js';
import { connectMcp } from '../testing/mcp-client.js';
import { shareInbox } from './share-inbox.js';
import { deviceKeys } from './testing/device-keys.js';

/** What the console is told about devices. */
interface Shown {
  readonly asking?: readonly { readonly id: string; readonly from: string }[];
  readonly devices?: readonly { readonly id: string }[];
  readonly code?: string;
  readonly link?: string;
  readonly picture?: readonly string[];
}

/** The device requests of the console of the guards' gateway. */
function consoleIn(data: string) {
  const read = (name: string): string => readFileSync(join(data, name), 'utf8').trim();
  const port = read('port');
  return {
    reviewer: read('reviewer.token'),
    inConsole: async (token: string, posted: object = {}): Promise<Shown> => {
      const answer = await fetch(`http://127.0.0.1:${port}/hooks/devices`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(posted),
      });
      return (await answer.json()) as Shown;
    },
  };
}

/** Someone at a terminal who shares the inbox. */
function sharing(home: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let said = '';
  let ahead = 0;
  const shell: Shell = {
    stdin,
    stdout: new PassThrough(),
    env: { PROFFER_HOME: home },
    style: createStyle(false),
    width: 100,
    name: 'proffer',
    now: () => Date.now() + ahead,
    print: (...lines) => {
      said += `${lines.join('\n')}\n`;
    },
    tell: () => {},
    interruption: () => new AbortController().signal,
  };
  const ended = shareInbox('127.0.0.1:0', shell);
  return {
    async says(pattern: RegExp) {
      await expect.poll(() => said, { timeout: 10_000 }).toMatch(pattern);
    },
    link: () => new URL(said.match(/https:\S+/g)?.at(-1) ?? ''),
    types: (line: string) => stdin.write(`${line}\n`),
    passes: (span: number) => {
      ahead += span;
    },
    async [Symbol.asyncDispose]() {
      stdin.end();
      await ended;
    },
  };
}

/** A phone that accepts the certificate. */
function phone(home: string) {
  const ca = readFileSync(join(home, 'guard', 'share.json'), 'utf8');
  const { cert } = JSON.parse(ca) as { cert: string };
  const ask = (url: URL | string, { token = '', post = '' } = {}) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
      // Verbatim: `URL` would normalise it.
      const [, origin = '', path = '/'] = /^(https:\/\/[^/]+)(.*)$/.exec(String(url)) ?? [];
      const { hostname, port } = new URL(origin);
      const asked = request(
        { hostname, port, path, ca: cert, method: post === '' ? 'GET' : 'POST', headers, agent: false },
        (answer) => {
          text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
        },
      );
      asked.once('error', reject);
      asked.end(post);
    });
  const { key, answer } = deviceKeys();
  const post = async (url: string, posted: object) => {
    const { status, body } = await ask(url, { post: JSON.stringify(posted) });
    return { status, ...(JSON.parse(body) as { device?: string; token?: string; challenge?: string }) };
  };
  const pair = (link: URL) =>
    ask(`${link.origin}/hooks/sign-in`, {
      post: JSON.stringify({ code: link.hash.slice('#code='.length), key }),
    });
  /** Signs in with its key, as the page does whenever it is opened. */
  const signIn = async (origin: string, device: string) => {
    const { challenge = '' } = await post(`${origin}/hooks/device`, {});
    return await post(`${origin}/hooks/device`, answer(device, challenge));
  };
  return { cert, ask, pair, signIn };
}

describe('inbox --guard --share', () => {
  it('lets a confirmed device review, and nothing else, until it is revoked', async () => {
    await using here = await machine();
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    const client = await connectMcp(guard);
    await using terminal = sharing(here.home);
    await terminal.says(/Scan it within 2 minutes/);
    const { ask, pair, cert, signIn } = phone(here.home);
    const link = terminal.link();
    const keyless = JSON.stringify({ code: link.hash.slice('#code='.length) });
    expect((await ask(`${link.origin}/hooks/sign-in`, { post: keyless })).body).toContain(
      'no key of its own',
    );
    const paired = pair(link);
    await terminal.says(/A device wants to pair: .*, 127\.0\.0\.1\./);
    // Someone who saw the same QR code is too late.
    expect((await pair(link)).status).toBe(401);
    terminal.types('y');
    const { token, device: name } = JSON.parse((await paired).body) as { token: string; device: string };
    await terminal.says(/Paired as phone-\w+\./);
    expect((await pair(link)).status).toBe(401);

    const { origin } = link;
    expect(await signIn(origin, name)).toMatchObject({ status: 200, device: name });
    const whoami = JSON.parse((await ask(`${origin}/whoami`, { token })).body) as { participant: string };
    expect(whoami).toMatchObject({
      participant: expect.stringMatching(/^phone-/),
      spaces: [
        {
          name: 'main',
          capabilities: [
            'mcp.request.*',
            'mcpx.approve.proposal',
            'mcpx.counter.proposal',
            'mcpx.reject.proposal',
            'mcpx.status.proposal',
          ],
        },
      ],
    });
    expect((await ask(`${origin}/console/`)).body).toContain('<!doctype html>');

    const device = await connect({ url: origin, space: 'main', token, ca: cert });
    const written = here.write(client, 'phone.txt');
    await (await next(device, 'phone.txt')).fulfil();
    expect(JSON.stringify(await written)).toContain('Successfully wrote');
    for (const kind of ['mcp.proposal.tools/call', 'mcpx.announce.tools', 'chat.message']) {
      const payload = { method: 'tools/call', params: { name: 'x' }, tools: [], text: 'x' };
      await expect(device.send({ kind, payload })).rejects.toMatchObject({ code: 'capability_violation' });
    }

    // Nor may it call a tool without a proposal.
    const call = { method: 'tools/call', params: { name: 'write_file', arguments: { path: 'x' } } };
    for (const more of [{}, { to: ['filesystem'] }, { correlationId: 'nothing' }])
      await expect(
        device.send({ kind: 'mcp.request.tools/call', payload: { jsonrpc: '2.0', id: 1, ...call }, ...more }),
      ).rejects.toMatchObject({ code: 'review_only' });

    const listed = await runHere(['devices'], { PROFFER_HOME: here.home });
    expect(listed.stdout).toContain(whoami.participant);
    const revoked = await runHere(['devices', '--revoke', whoami.participant], { PROFFER_HOME: here.home });
    expect(revoked.stdout).toContain('is revoked');
    expect((await ask(`${origin}/whoami`, { token })).status).toBe(401);
    expect((await signIn(origin, name)).status).toBe(401);
    expect((await device.closed).name).toBe('ConnectionClosedError');
    // Nor does its token work on the machine itself.
    const port = readFileSync(join(here.data, 'port'), 'utf8').trim();
    const inside = await fetch(`http://127.0.0.1:${port}/whoami`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(inside.status).toBe(401);
    await here.stop(guard);
  });

  it('asks in the console too, and lists and revokes devices there; a device may not', async () => {
    await using here = await machine();
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    const { inConsole, reviewer } = consoleIn(here.data);
    await using terminal = sharing(here.home);
    await terminal.says(/Scan it/);
    const { ask, pair } = phone(here.home);
    const refused = pair(terminal.link());
    await terminal.says(/A device wants to pair/);
    const [first] = (await inConsole(reviewer)).asking ?? [];
    expect(first).toMatchObject({ from: '127.0.0.1' });
    await inConsole(reviewer, { answer: first?.id, yes: false });
    expect((await refused).status).toBe(401);
    terminal.types('');
    await terminal.says(/Scan it[^]*Scan it/);
    const paired = pair(terminal.link());
    await expect.poll(async () => (await inConsole(reviewer)).asking).toHaveLength(1);
    const [second] = (await inConsole(reviewer)).asking ?? [];
    await inConsole(reviewer, { answer: second?.id, yes: true });
    const { token } = JSON.parse((await paired).body) as { token: string };
    const { asking, devices } = await inConsole(reviewer);
    expect([asking, devices]).toMatchObject([[], [{ id: expect.stringMatching(/^phone-/) }]]);
    // It is not reachable from the network, and a device's token cannot let others in.
    const { origin } = terminal.link();
    expect((await ask(`${origin}/hooks/devices`, { token, post: '{}' })).status).toBe(404);
    const inside = reviewToken(openMachineFolder(here.data), 'phone-x', Date.now());
    expect(await inConsole(inside)).toMatchObject({ code: 'capability_violation' });
    await inConsole(reviewer, { revoke: devices?.[0]?.id });
    expect((await ask(`${origin}/whoami`, { token })).status).toBe(401);
    await here.stop(guard);
  });

  it('needs no terminal if a guard shares: the code and the question are in the console', async () => {
    await using here = await machine();
    const guard = here.guard('--share', '127.0.0.1:0');
    await guard.until(/press Notifications, then Pair a phone/);
    const { inConsole, reviewer } = consoleIn(here.data);
    const { link = '', picture = [] } = await inConsole(reviewer, { pair: true });
    expect(link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{22}$/);
    expect(new Set(picture.map((row) => row.length))).toEqual(new Set([picture.length]));
    const { ask, pair } = phone(here.home);
    const paired = pair(new URL(link));
    await expect.poll(async () => (await inConsole(reviewer)).asking).toHaveLength(1);
    const [asking] = (await inConsole(reviewer)).asking ?? [];
    await inConsole(reviewer, { answer: asking?.id, yes: true });
    const { token } = JSON.parse((await paired).body) as { token: string };
    expect((await ask(`${new URL(link).origin}/whoami`, { token })).status).toBe(200);
    expect((await pair(new URL(link))).status).toBe(401);
    await here.stop(guard);
    const elsewhere = await proffer(['guard', '--share', '--url', 'http://127.0.0.1:1', '--', 'true']);
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be used with --url'),
    });
    const swallowed = await proffer(['guard', '--share', 'npx', 'server']);
    expect(swallowed).toMatchObject({ code: 2, stderr: expect.stringContaining('guard --share -- COMMAND') });
  });

  it('rejects devices that are refused on the computer, late, or not paired', async () => {
    await using here = await machine();
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    await using terminal = sharing(here.home);
    await terminal.says(/Scan it/);
    const { ask, pair } = phone(here.home);
    const refused = pair(terminal.link());
    await terminal.says(/A device wants to pair/);
    terminal.types('');
    expect(await refused).toMatchObject({
      status: 401,
      body: expect.stringContaining('refused on the computer'),
    });
    terminal.types('');
    await terminal.says(/Scan it[^]*Scan it/);
    terminal.passes(120_000);
    expect((await pair(terminal.link())).status).toBe(401);

    const { origin } = terminal.link();
    const reviewer = readFileSync(join(here.data, 'reviewer.token'), 'utf8').trim();
    for (const token of ['', 'reviewer', reviewer])
      expect((await ask(`${origin}/spaces/main/proposals`, { token })).status).toBe(401);
    const hidden = [
      '/metrics',
      '/openapi.json',
      '/console/../metrics',
      '/console/%2e%2e/metrics',
      '/hooks/sign-in',
    ];
    for (const path of hidden) expect([path, (await ask(origin + path)).status]).toEqual([path, 404]);
    const posted = await ask(`${origin}/spaces/main/messages`, { token: reviewer, post: '{}' });
    expect(posted.status).toBe(404);
    await here.stop(guard);
  });
});
