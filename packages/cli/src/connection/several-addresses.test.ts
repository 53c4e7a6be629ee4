import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hookPlaces } from '../actions/hook/hook-serve.js';
import { processShell } from '../terminal/shell.js';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const NOBODY = 'http://127.0.0.1:9';
let gateway: Awaited<ReturnType<typeof startOnLoopback>>;
let url: string;
beforeAll(async () => {
  gateway = await startOnLoopback();
  url = `http://127.0.0.1:${gateway.port}`;
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('several gateways', () => {
  it('are separated by commas, given by repeating --url, or in PROFFER_URL; the one that answers is used', async () => {
    const said = 'Nothing is waiting for a decision.';
    expect((await runHere(['inbox', '--url', `${NOBODY},${url}`])).stdout).toContain(said);
    expect((await runHere(['inbox', '--url', NOBODY, '--url', url])).stdout).toContain(said);
    const env = { PROFFER_URL: `${NOBODY}, ${url}` };
    expect((await runHere(['inbox'], env)).stdout).toContain(said);
    expect((await runHere(['negotiate', 'list'], env)).code).toBe(0);
  });

  it('may have a trailing comma', async () => {
    for (const commas of [',', ',,', ` , ,${url}`])
      expect((await runHere(['inbox', '--url', `${url}${commas}`])).code).toBe(0);
  });

  it.each([
    ['http://a:1;http://b:2', 'This is not the address of a gateway: several addresses need commas'],
    [
      'http://127.0.0.1:1,htp://127.0.0.1:2',
      'Part 2 of 2 is not the address of a gateway: it begins with htp://',
    ],
    ['htp://127.0.0.1:2/x', '→ --url http://127.0.0.1:2\n'],
    ['http://127.0.0.1:99999', 'after http:// there must be a host'],
    [',', 'it is empty'],
  ])('%s: names the wrong part', async (written, said) => {
    const { code, stderr } = await runHere(['inbox', '--url', written]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  it('are named when none of them answers, also in the suggested commands', async () => {
    const { code, stderr } = await runHere(['inbox', '--url', `${NOBODY},http://127.0.0.1:8`]);
    expect(code).toBe(3);
    expect(stderr).toContain(`No gateway answers at ${NOBODY},http://127.0.0.1:8`);
    expect(stderr).toContain(`doctor --url ${NOBODY},http://127.0.0.1:8`);
  });

  it('are each checked by doctor', async () => {
    await using folder = await temporaryFolder();
    const { stdout } = await runHere(['doctor', '--data', folder.path, '--url', `${NOBODY},${url}`]);
    expect(stdout).toContain(`No gateway answers at ${NOBODY}`);
    expect(stdout).toContain(`${url} is ready`);
  });

  it('share a stored token', async () => {
    await using folder = await temporaryFolder();
    const env = { XDG_CONFIG_HOME: folder.path };
    const signed = await runHere(['login', '--token', 'reviewer', '--url', `${url},${NOBODY}`], env);
    expect(signed.stdout).toContain(`Signed in to ${url} as reviewer`);
    expect(signed.stderr).toContain(`${NOBODY} did not answer; the token is stored for it unchecked.`);
    for (const each of [url, NOBODY])
      expect((await runHere(['logout', '--url', each], env)).stdout).toContain('Signed out');
  });

  it('I-4: does not send a stored token to a gateway nobody signed in to', async () => {
    await using folder = await temporaryFolder();
    const env = { XDG_CONFIG_HOME: folder.path };
    let asked = 0;
    const stranger = createServer((_, response) => {
      asked += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const other = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    await runHere(['login', '--token', 'reviewer', '--url', url], env);
    for (const both of [`${url},${other}`, `${other},${url}`]) {
      const { code, stderr } = await runHere(['inbox', '--url', both], env);
      expect(code).toBe(2);
      expect(stderr).toContain(`A token is stored for ${url}, but none for ${other}.`);
      expect(stderr).toContain(`login --url ${both}`);
    }
    expect(asked).toBe(0);
    stranger.close();
    // An explicit token is meant for all of them.
    const said = await runHere(['inbox', '--token', 'reviewer', '--url', `${url},${NOBODY}`], env);
    expect(said.code).toBe(0);
    await runHere(['login', '--token', 'reviewer', '--url', `${url},${NOBODY}`], env);
    expect((await runHere(['inbox', '--url', `${NOBODY},${url}`], env)).code).toBe(0);
  });

  it('hooks enter at the one that answers', async () => {
    await using folder = await temporaryFolder();
    const gateways = { url: `${NOBODY},${url}`, token: 'agent', space: 'main' };
    const enter = hookPlaces({ gateway: gateways }, folder.path, processShell());
    const place = await enter('claude-code');
    expect(place.participant.name).toBe('agent');
    await place.participant.close();
    await place.close();
  });

  it('must not name different spaces', async () => {
    const { code, stderr } = await runHere(['inbox', '--url', 'ws://a/ws?space=x,ws://b/ws?space=y']);
    expect(code).toBe(2);
    expect(stderr).toContain('name different spaces');
  });
});
