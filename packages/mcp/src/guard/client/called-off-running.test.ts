import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { connectRaw, listOf } from '../testing/raw-client.js';

const CALL = { method: 'tools/call', params: { name: 't', arguments: {} } };

/** A client whose approved call runs on a server that has not answered yet. */
async function running() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const client = await connectRaw(space, {
    answer: ({ method }) =>
      method === 'tools/list' ? listOf('t') : method === 'ping' ? { result: {} } : undefined,
  });
  client.send({ ...CALL, id: 1 });
  const fulfilled = (await next()).fulfil();
  fulfilled.catch(() => {});
  await expect.poll(() => client.calls()).toHaveLength(1);
  const callOff = async (id: number, reason: string) => {
    client.send({ method: 'notifications/cancelled', params: { requestId: id, reason } });
    client.send({ id: `after ${id}`, method: 'ping' });
    await client.answer(`after ${id}`);
  };
  const [call] = client.calls();
  return {
    client,
    fulfilled,
    callOff,
    /** The server's id of the call. */
    serverId: call?.['id'],
    cancelled: () => client.server.got.filter(({ method }) => method === 'notifications/cancelled'),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

describe('running call cancelled by its caller', () => {
  it('O-23: is cancelled at the server, whose answer still decides how it ended', async () => {
    await using call = await running();
    await call.callOff(1, 'Escape');
    expect(call.cancelled()).toMatchObject([{ params: { requestId: call.serverId } }]);
    call.client.server.say({ id: call.serverId, result: { content: [{ type: 'text', text: 'half done' }] } });
    await expect(call.fulfilled).resolves.toMatchObject({ content: [{ text: 'half done' }] });
  });

  it('continues if the caller only timed out, or if another waits for it', async () => {
    await using call = await running();
    call.client.send({ ...CALL, id: 2 });
    await call.callOff(1, 'Escape');
    await call.callOff(2, 'Request timed out');
    expect(call.cancelled()).toEqual([]);
    call.client.server.say({ id: call.serverId, result: { content: [] } });
    await call.fulfilled;
  });
});
