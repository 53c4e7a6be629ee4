import type { Envelope } from '@proffer/core';
import { emptySpace, forgetProposal, type ReviewEntry, spaceSettings } from '@proffer/core/operations';
import type { Benchmark, Measurement } from '../benchmark.js';
import { costs, sampleInTurns, type Variant } from '../sampling.js';
import { answer, fulfil, propose, send, type World } from './messages/operations.js';

/**
 * What a review policy costs where none of its entries is about the call (O-28): none, one, and a hundred about other
 * tools. The first is what everybody pays who needs no policy; what the others cost beyond it is the policy.
 */
export const review: Benchmark = {
  name: 'core/review',
  about: 'propose, and fulfil and answer, with a review policy of 0, 1 and 100 entries',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 6 : 15, counted: quick ? 15 : 41 };
    const perRound = quick ? 250 : 500;
    const variants = [0, 1, 100].map((entries) => withPolicy(entries, perRound));
    return costs(sampleInTurns(variants, rounds), 'ns/operation');
  },
};

function policyOf(entries: number): readonly ReviewEntry[] {
  return Array.from({ length: entries }, (_, index) => ({
    name: `entry ${index}`,
    call:
      index % 3 === 0
        ? {
            kind: `mcp.request.tools/call:move_${index}`,
            payload: { params: { arguments: { to: '/etc/**' } } },
          }
        : `mcp.request.tools/call:${index % 3 === 1 ? `pay_${index}` : `write_${index}_*`}`,
    proposers: [],
    approvals: 2,
    from: ['role:finance'],
    veto: true,
    escalate: [],
  }));
}

function withPolicy(entries: number, perRound: number): Variant {
  const settings = spaceSettings({ name: 'main', ...(entries === 0 ? {} : { review: policyOf(entries) }) });
  const world: World = { space: emptySpace(settings) };
  let count = 0;
  const sendAll = (envelopes: readonly Envelope[]): void => {
    for (const envelope of envelopes) send(world, envelope);
  };
  return {
    parameters: { entries },
    round(time) {
      const ids = Array.from({ length: perRound }, () => `proposal-${count++}`);
      const proposals = ids.map((id) => propose(id));
      time('propose', perRound, () => sendAll(proposals));
      const decisions = ids.flatMap((id) => [
        fulfil(`request-${id}`, id),
        answer(`answer-${id}`, `request-${id}`),
      ]);
      time('fulfil and answer', perRound, () => sendAll(decisions));
      for (const id of ids) world.space = forgetProposal(world.space, id);
    },
  };
}
