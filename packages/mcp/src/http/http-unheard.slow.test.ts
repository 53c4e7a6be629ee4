import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { OUTCOME_KEY } from '../guard/answers.js';
import { proposalsFor, textOf } from '../testing/deciding.js';
import { postUnread } from '../testing/http-requests.js';
import { createNotedCalls } from '../testing/noted-calls.js';
import { startNotesFront } from '../testing/notes-front.js';
import { startSpace } from '../testing/space.js';

it('I-2, O-23: an outcome does not count as delivered if its client has ended the session', async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const waitsIn = await mkdtemp(join(space.folder, 'run-'));
  const { journal, heard } = createNotedCalls(false);
  await using front = await startNotesFront(space, { journal, waitsIn });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(front.address);
  await client.connect(transport);
  client.callTool({ name: 'append', arguments: { line: 'one' } }).catch(() => {});
  const fulfilled = (await next()).fulfil();
  fulfilled.catch(() => {});
  await expect.poll(() => readdir(waitsIn)).toContain('started');
  await transport.terminateSession();
  await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
  expect(heard()).toEqual([]);
  await writeFile(join(waitsIn, 'go'), '');
  await expect.poll(front.running).toBe(0);
  await client.close();
});

/** More than the system buffers for a peer that does not read. */
const SIZE = 20_000_000;
const LARGE = { name: 'large', arguments: { size: SIZE } };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe.each([
  ['with a session (2025-11-25)', undefined],
  ['without one (2026-07-28)', '2026-07-28'],
])('client %s', (_title, pin) => {
  it('I-2: has not received an answer if it leaves before reading it, and learns of the first call when it repeats it', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const { journal, heard } = createNotedCalls(false);
    await using front = await startNotesFront(space, { journal });
    const negotiation = pin === undefined ? {} : { versionNegotiation: { mode: { pin } } };
    const client = new Client({ name: 'test', version: '1.0.0' }, negotiation);
    const transport = new StreamableHTTPClientTransport(front.address);
    await client.connect(transport);
    const { sessionId } = transport;
    const headers =
      sessionId === undefined
        ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'large' }
        : { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': sessionId };
    const params = { ...LARGE, ...(sessionId === undefined ? { _meta: META } : {}) };
    const unread = postUnread(front.address, headers, {
      jsonrpc: '2.0',
      id: 'unread',
      method: 'tools/call',
      params,
    });
    const { id, fulfil } = await next();
    await fulfil();
    expect(heard()).toEqual([]);
    unread.destroy();
    const again = await client.callTool(LARGE);
    expect(again['_meta']?.[OUTCOME_KEY]).toMatchObject({ code: 'ran', proposal: id });
    expect(textOf(again)).toMatch(/^Not asked again: /);
    await expect.poll(heard).toEqual([id]);
    const third = client.callTool(LARGE);
    const other = await next();
    expect(other.id).not.toBe(id);
    await other.reject('unsafe');
    expect((await third).isError).toBe(true);
    await client.close();
  });
});
