import { expect, it } from 'vitest';
import type { GatewayConnection } from '../connection/connection.js';
import { sendApproval } from './approval.js';
import type { ProposalView } from './proposal-view.js';

const SHOWN = {
  id: 'one',
  method: 'tools/call',
  params: { name: 'echo', arguments: { text: 'shown' } },
  digest: 'sha256:shown',
} as unknown as ProposalView;

it.each([
  ['another digest', { ...SHOWN, digest: 'sha256:other' }],
  [
    'other params under the same digest',
    { ...SHOWN, params: { name: 'echo', arguments: { text: 'other' } } },
  ],
])('O-25: approves nothing if the proposal has %s than what was shown', async (_title, now) => {
  const sent: unknown[] = [];
  const connection = {
    name: 'proffer',
    endpoint: { given: {} },
    proposal: async () => ({ proposal: now, history: [] }),
    send: async (message: unknown) => sent.push(message),
  } as unknown as GatewayConnection;
  const approving = sendApproval(connection, SHOWN, { params: SHOWN.params, executor: undefined });
  await expect(approving).rejects.toMatchObject({
    failure: { code: 'digest_mismatch', message: expect.stringContaining('Nothing was approved.') },
  });
  expect(sent).toEqual([]);
});
