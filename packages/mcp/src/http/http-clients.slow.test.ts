import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defined } from '@proffer/core/json';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proposalsFor, textOf } from '../testing/deciding.js';
import { type NotesFrontOptions, startNotesFront } from '../testing/notes-front.js';
import { startSpace, type TestSpace } from '../testing/space.js';

const CALL = { name: 'append', arguments: { line: 'same' } };
const lines = async ({ folder }: TestSpace): Promise<number> =>
  (await readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '')).split('\n').length - 1;

interface About {
  readonly name: string;
  readonly version?: string;
  readonly token?: string;
}

/** The official client in 2026-07-28, which has no session. */
async function connectAs({ address }: { readonly address: URL }, { name, version = '1', token }: About) {
  const client = new Client({ name, version }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Two clients ask for the same; resolves when the given number of proposals was approved. */
async function bothAsk(
  [one, other]: readonly [About, About],
  { times, ...options }: NotesFrontOptions & { readonly times: number },
) {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  await using front = await startNotesFront(space, { holdFor: 60_000, ...options });
  const first = await connectAs(front, one);
  const second = await connectAs(front, other);
  const asked = [first.callTool(CALL)];
  const proposal = await next();
  // An allowed call takes the same path: when it is answered, the one before it has been received.
  asked.push(second.callTool(CALL));
  await second.callTool({ name: 'read', arguments: {} });
  await expect.poll(() => reviewer.pending.length).toBe(times);
  const { pending } = reviewer;
  await proposal.fulfil();
  for (const { id, method, params } of pending) {
    if (id !== proposal.id) await reviewer.fulfil({ id, method, ...defined({ params }) });
  }
  const answers = await Promise.all(asked);
  return { answers: answers.map(textOf), written: await lines(space) };
}

describe('clients without sessions (2026-07-28) that ask for the same', () => {
  const answers = ['appended same', 'appended same'];

  it('O-3: are distinguished by their own name', async () => {
    const found = await bothAsk([{ name: 'one' }, { name: 'other' }], { times: 2 });
    expect(found).toEqual({ answers, written: 2 });
  });

  it('O-3: are distinguished by their credential', async () => {
    const clients = [
      { name: 'one', token: 'a' },
      { name: 'one', token: 'b' },
    ] as const;
    const found = await bothAsk(clients, { times: 2, tokens: ['a', 'b'] });
    expect(found).toEqual({ answers, written: 2 });
  });

  it('O-3: are one to the guard if nothing distinguishes them, also after an update', async () => {
    const found = await bothAsk([{ name: 'one' }, { name: 'one', version: '2' }], { times: 1 });
    expect(found).toEqual({ answers, written: 1 });
  });

  it("O-15: do not wait for each other's calls", async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using front = await startNotesFront(space, { holdFor: 50 });
    const one = await connectAs(front, { name: 'one' });
    const other = await connectAs(front, { name: 'other' });
    expect(textOf(await one.callTool(CALL))).toContain('has not run yet');
    const { id } = await next();
    const wait = { name: 'proffer_wait', arguments: { proposal: id } };
    expect(await other.callTool(wait)).toMatchObject({
      _meta: { 'proffer/outcome': { code: 'unknown_proposal' } },
    });
    expect(await one.callTool(wait)).toMatchObject({ _meta: { 'proffer/outcome': { code: 'pending' } } });
  });
});
