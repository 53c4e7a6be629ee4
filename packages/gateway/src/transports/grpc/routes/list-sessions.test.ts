import { RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GrpcPeer, startPeer } from '../testing/grpc-peer.js';
import { connectRaw, framed } from '../testing/raw-call.js';
import { serveFor } from '../testing/served.js';
import { openTable, START } from '../testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

/** A page of `ListSessions`: the ids, the next token, and the size of the answer. */
async function list(port: number, page: { readonly page_size?: number; readonly page_token?: string } = {}) {
  using raw = await connectRaw(port);
  const asked = RPC.listSessions.request.write({ page_size: 0, page_token: '', ...page });
  const { headers, messages } = await raw.call(RPC.listSessions.path, framed(asked));
  expect(headers['grpc-status']).toBe('0');
  const read = RPC.listSessions.response.read(messages[0] ?? Buffer.alloc(0));
  if (!read.ok) throw new Error(read.refusal.message);
  const ids = read.value.sessions.map(({ session_id }) => session_id);
  return { ids, next: read.value.next_page_token, bytes: messages[0]?.length ?? 0 };
}

describe('ListSessions', () => {
  it("N-8, N-26: has every session, however many, as long as they fit the clients' read limit", async () => {
    const { grpcPort } = await serveFor(peer);
    const tables = Array.from({ length: 1_200 }, () => openTable(peer));
    await Promise.all(
      tables.map((table, index) => table.say(index % 2 === 0 ? 'buyer' : 'seller', 'SessionStart', START)),
    );
    const { ids, next } = await list(grpcPort);
    expect(new Set(ids)).toEqual(new Set(tables.map(({ id }) => id)));
    expect(next).toBe('');
    const pages: string[] = [];
    let token = '';
    do {
      const page = await list(grpcPort, { page_size: 500, page_token: token });
      pages.push(...page.ids);
      token = page.next;
      // One that starts in between is newer than all that are still to come.
      await openTable(peer).start();
    } while (token !== '');
    expect(pages.length).toBe(1_200);
    expect(new Set(pages)).toEqual(new Set(ids));
  });

  it('I-7, N-26: has the newest if not all fit, and the rest is on the next page', async () => {
    const { grpcPort } = await serveFor(peer);
    const crowd = Array.from({ length: 999 }, (_, index) => `${index}-`.padEnd(250, 'n'));
    const tables = Array.from({ length: 20 }, () => openTable(peer));
    for (const table of tables) {
      expect(await table.start({ participants: ['coordinator', 'buyer', ...crowd.slice(1)] })).toMatchObject({
        ok: true,
      });
    }
    const { ids, next, bytes } = await list(grpcPort);
    const first = ids.length;
    expect(bytes).toBeLessThan(4_194_304);
    expect(bytes).toBeGreaterThan(3_500_000);
    const rest = await list(grpcPort, { page_token: next });
    const all = new Set(tables.map(({ id }) => id));
    expect(rest.ids.length).toBe(all.size - first);
    expect(new Set([...ids, ...rest.ids])).toEqual(all);
    expect(rest.next).toBe('');
  });

  it('N-26: refuses a page that is none', async () => {
    await serveFor(peer);
    await openTable(peer).start();
    await openTable(peer).start();
    const refused = { code: 3, macpCode: 'INVALID_ENVELOPE' };
    const ask = (page: object) => peer.refused('ListSessions', page, { token: 'buyer' });
    expect(await ask({ page_size: -1 })).toMatchObject(refused);
    const { next_page_token } = await peer.ask('ListSessions', { page_size: 1 }, { token: 'buyer' });
    for (const token of ['x', '*', 'MTo', `${String(next_page_token)}=`, 'A'.repeat(10_000)]) {
      expect(await ask({ page_token: token })).toMatchObject(refused);
    }
  });
});
