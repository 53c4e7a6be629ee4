import { expect, it } from 'vitest';
import { openTable } from '../../../testing/macp.js';
import { connectMacpPeer } from '../../../testing/peers/macp-peer.js';
import { startTestGateway } from '../../../testing/test-gateway.js';

it('I-7: a client that follows too many sessions is told to stop one, without a made-up retry time', async () => {
  await using gateway = await startTestGateway();
  const tables = Array.from({ length: 129 }, () => openTable(gateway.http));
  for (const [index, table] of tables.entries()) {
    const name = `buyer-${index}`;
    expect(await table.start(name, { participants: [name, 'seller'] })).toMatchObject({ ok: true });
  }
  await using seller = await connectMacpPeer(gateway, 'seller');
  const [first, ...others] = tables.map(({ id }) => id);
  const last = others.at(-1);
  for (const id of [first, ...others]) seller.send({ subscribe_session_id: id ?? '' });
  const { error } = await seller.next((frame) => frame['error'] !== undefined);
  expect(error).toMatchObject({
    code: 'RATE_LIMITED',
    session_id: last,
    message: expect.stringMatching(
      /already follows 128 sessions\. Unsubscribe from one first .* open another connection/,
    ),
    details: { field: 'subscribe_session_id', limit: 128 },
  });
  expect(JSON.stringify(error)).not.toContain('retry_after_ms');
  seller.send({ unsubscribe_session_id: first ?? '' });
  seller.send({ subscribe_session_id: last ?? '' });
  const followed = await seller.next(
    ({ envelope }) => (envelope as { session_id?: string } | undefined)?.session_id === last,
  );
  expect(followed).toMatchObject({ sequence: 1 });
});
