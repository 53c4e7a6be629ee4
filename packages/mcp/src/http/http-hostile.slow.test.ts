import { describe, expect, it } from 'vitest';
import { type NotesFrontOptions, startNotesFront } from '../testing/notes-front.js';
import { startSpace } from '../testing/space.js';

const ALLOW: NotesFrontOptions = { decide: () => ({ action: 'allow', reason: '', version: '1' }) };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'append' };

/** A call of 2026-07-28 with its arguments verbatim. */
const callOf = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"append","arguments":${args},"_meta":${JSON.stringify(META)}}}`;

const post = (address: URL, headers: Readonly<Record<string, string>>, body: string) =>
  fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });

describe('body over HTTP', () => {
  it.each([
    ['half of a surrogate pair', '{"line":"\\ud800"}'],
    ['an integer that a double cannot represent', '{"line":"one","n":9007199254740993}'],
    ['a duplicate key', '{"line":"one","line":"two"}'],
    ['a key with a special meaning', '{"line":"one","__proto__":{}}'],
  ])('is rejected if parsers may disagree about it, as over stdio: %s', async (_title, args) => {
    await using space = await startSpace();
    await using front = await startNotesFront(space, ALLOW);
    const refused = await post(front.address, MODERN, callOf(args));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: -32_602 } });
    const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${args}}`;
    expect((await post(front.address, {}, initialize)).status).toBe(400);
  });
});

describe('session over HTTP', () => {
  it('is only available with the credential that opened it', async () => {
    await using space = await startSpace();
    await using front = await startNotesFront(space, { ...ALLOW, tokens: ['one', 'other'] });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const opened = await post(front.address, { authorization: 'Bearer one' }, initialize);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await opened.text();
    const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
    const taken = await post(front.address, { ...session, authorization: 'Bearer other' }, ping);
    expect(taken.status).toBe(404);
    const own = await post(front.address, { ...session, authorization: 'Bearer one' }, ping);
    expect(own.status).toBe(200);
    await own.text();
  });
});

describe('headers of a call (2026-07-28)', () => {
  const line = '{"line":"one"}';
  const encoded = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const { 'mcp-name': _name, ...withoutName } = MODERN;
  const { 'mcp-method': _method, ...withoutMethod } = MODERN;
  const { 'mcp-protocol-version': _version, ...withoutVersion } = MODERN;

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['the name of what is called', MODERN, 200],
    ['the name in Base64', { ...MODERN, 'mcp-name': encoded('append') }, 200],
    ['another name', { ...MODERN, 'mcp-name': 'read' }, 400],
    ['another name in Base64', { ...MODERN, 'mcp-name': encoded('read') }, 400],
    ['invalid Base64', { ...MODERN, 'mcp-name': '=?base64?*?=' }, 400],
    ['no name', withoutName, 400],
    ['no method', withoutMethod, 400],
    ['no revision', withoutVersion, 400],
  ])('match the body: %s', async (_title, headers, status) => {
    await using space = await startSpace();
    await using front = await startNotesFront(space, ALLOW);
    const answered = await post(front.address, headers, callOf(line));
    expect(answered.status).toBe(status);
    if (status === 400) expect(await answered.json()).toMatchObject({ error: { code: -32_020 } });
    else await answered.text();
  });
});
