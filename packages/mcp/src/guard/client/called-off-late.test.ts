import { NOT_RUN_KEY } from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { createProposalArchive } from '../recovery/index.js';
import { connectRaw, listOf } from '../testing/raw-client.js';

const CALL = { jsonrpc: '2.0', method: 'tools/call', params: { name: 't', arguments: {} } };

describe('call cancelled after approval and before it runs', () => {
  it('O-15: is not run, and the approver is told that it was cancelled', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
    await using client = await connectRaw(space, { answer: () => listOf('t') });
    const cancelled = (requestId: number, reason: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason },
    });
    client.send({ ...CALL, id: 1 });
    const proposal = await next();
    client.send(cancelled(1, 'Request timed out'));
    client.send({ id: 2, method: 'ping' });
    await client.answer(2);
    const fulfilled = proposal.fulfil();
    await expect.poll(async () => (await archive.find(proposal.id))?.proposal['phase']).toBe('allowed');
    // Both at once: it is back, and no longer wants the call, before the approved call can start.
    client.send(
      [{ ...CALL, id: 3 }, cancelled(3, 'Escape')].map((message) => JSON.stringify(message)).join('\n'),
    );
    await expect(fulfilled).rejects.toMatchObject({
      message: 'Nothing was run: nobody is waiting for this call any longer (the caller cancelled the call).',
      data: { [NOT_RUN_KEY]: { outcome: 'withdrawn', reason: 'the caller cancelled the call' } },
    });
    expect(client.calls()).toEqual([]);
  });
});
