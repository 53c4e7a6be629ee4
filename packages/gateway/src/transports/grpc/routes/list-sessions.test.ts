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

/** The ids that `ListSessions` returns, and whether it says that there are more. */
async function list(port: number) {
  using raw = await connectRaw(port);
  const { headers, messages } = await raw.call(RPC.listSessions.path, framed(Buffer.alloc(0)));
  expect(headers['grpc-status']).toBe('0');
  const read = RPC.listSessions.response.read(messages[0] ?? Buffer.alloc(0));
  if (!read.ok) throw new Error(read.refusal.message);
  const ids = read.value.sessions.map(({ session_id }) => session_id);
  return { ids, more: headers['macp-more'], bytes: messages[0]?.length ?? 0 };
}

describe('ListSessions', () => {
  it("N-8: has every session, however many, as long as they fit the clients' read limit", async () => {
    const { grpcPort } = await serveFor(peer);
    const tables = Array.from({ length: 1_200 }, () => openTable(peer));
    await Promise.all(
      tables.map((table, index) => table.say(index % 2 === 0 ? 'buyer' : 'seller', 'SessionStart', START)),
    );
    const { ids, more } = await list(grpcPort);
    expect(new Set(ids)).toEqual(new Set(tables.map(({ id }) => id)));
    expect(more).toBeUndefined();
    const { sessions } = await peer.ask('ListSessions', {}, { token: 'buyer' });
    expect(sessions).toHaveLength(1_200);
  });

  it('I-7: says in a trailer that there are more than fit, and has the newest', async () => {
    const { grpcPort } = await serveFor(peer);
    const crowd = Array.from({ length: 999 }, (_, index) => `${index}-`.padEnd(250, 'n'));
    const tables = Array.from({ length: 20 }, () => openTable(peer));
    for (const table of tables) {
      expect(await table.start({ participants: ['coordinator', ...crowd] })).toMatchObject({ ok: true });
    }
    const { ids, more, bytes } = await list(grpcPort);
    expect(more).toBe('true');
    expect(ids).toEqual(tables.slice(-ids.length).map(({ id }) => id));
    expect(bytes).toBeLessThan(4_194_304);
    expect(bytes).toBeGreaterThan(3_500_000);
    const { sessions } = await peer.ask('ListSessions', {}, { token: 'buyer' });
    expect(sessions).toHaveLength(ids.length);
  });
});
