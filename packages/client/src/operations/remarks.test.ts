import { describe, expect, it } from 'vitest';
import { RefusedError } from '../node.js';
import { startTestGateway } from '../testing/gateway.js';
import { join } from '../testing/joining.js';
import { writing } from '../testing/tools.js';

describe('remarks about several proposals', () => {
  it('O-35: have an outcome for each, and fail only if none of them has an effect', async () => {
    await using gateway = await startTestGateway();
    await using agent = await join(gateway, 'agent');
    await using reviewer = await join(gateway, 'reviewer');
    const open = ['p1', 'p2'].map((id) =>
      agent.propose('tools/call', writing('/a'), { id, onRejection: 'wait' }),
    );
    const own = reviewer.propose('tools/call', writing('/b'), { id: 'own' });
    for (const proposal of [...open, own]) {
      proposal.catch(() => undefined);
      await proposal.accepted;
    }
    const statuses = ({ outcomes = [] }: { readonly outcomes?: readonly { readonly status: string }[] }) =>
      outcomes.map(({ status }) => status);

    const reported = await reviewer.status(['p1', 'nothing', 'own'], 'considering');
    expect(reported).toMatchObject({ status: 'accepted', seq: expect.any(Number) });
    expect(statuses(reported)).toEqual(['accepted', 'refused', 'accepted']);

    const rejected = await reviewer.reject(['p1', 'own', 'p2'], 'busy');
    expect(rejected.outcomes).toMatchObject([
      { proposal: 'p1', status: 'accepted' },
      { proposal: 'own', status: 'refused', error: { code: 'use_withdraw' } },
      { proposal: 'p2', status: 'accepted' },
    ]);

    expect(statuses(await agent.withdraw(['p1', 'own', 'p2']))).toEqual(['accepted', 'refused', 'accepted']);
    expect(await agent.withdraw(['p1', 'p2'])).toMatchObject({
      status: 'late',
      outcomes: [{ status: 'late' }, { status: 'late' }],
    });
    const refused = await agent.withdraw(['own', 'nothing']).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({
      code: 'not_proposer',
      details: {
        outcomes: [{ proposal: 'own' }, { proposal: 'nothing', error: { code: 'unknown_proposal' } }],
      },
    });
    await reviewer.withdraw('own');
  });
});
