import type { Envelope } from '@proffer/core';
import { emptySpace, evictProposal, type ReviewEntry, spaceSettings } from '@proffer/core/operations';
import type { Benchmark, Measurement } from '../benchmark.js';
import { costs, sampleInTurns, type Variant } from '../sampling.js';
import { answer, fulfil, propose, send, type World } from './messages/operations.js';

/**
 * The cost of a review policy when no entry matches the call (O-28): no entries, one, a hundred about other
 * tools, and a hundred about other paths of the same tool. The first is the cost without a policy; the
 * difference is the policy's.
 */
export const review: Benchmark = {
  name: 'core/review',
  about:
    'propose, and fulfil and answer, with a review policy of 0, 1 and 100 entries, about other tools or paths',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 6 : 15, counted: quick ? 15 : 41 };
    const perRound = quick ? 250 : 500;
    const variants = [
      ...[0, 1, 100].map((entries) => withPolicy(policyOf(entries), perRound, { entries })),
      withPolicy(pathsOf(100), perRound, { paths: 100 }),
    ];
    return costs(sampleInTurns(variants, rounds), 'ns/operation');
  },
};

/** Entries about other tools. */
function policyOf(entries: number): readonly ReviewEntry[] {
  return Array.from({ length: entries }, (_, index) =>
    entryAbout(
      index,
      index % 3 === 0
        ? {
            kind: `mcp.request.tools/call:move_${index}`,
            payload: { params: { arguments: { to: '/etc/**' } } },
          }
        : `mcp.request.tools/call:${index % 3 === 1 ? `pay_${index}` : `write_${index}_*`}`,
    ),
  );
}

/** Entries about other paths of the called tool. */
function pathsOf(entries: number): readonly ReviewEntry[] {
  return Array.from({ length: entries }, (_, index) => {
    const path = index % 2 === 0 ? `/srv/team-${index}/**` : `/home/user-${index}/*.json`;
    return entryAbout(index, {
      kind: 'mcp.request.tools/call:write_file',
      payload: { params: { arguments: { path } } },
    });
  });
}

function entryAbout(index: number, call: ReviewEntry['call']): ReviewEntry {
  return {
    name: `entry ${index}`,
    call,
    proposers: [],
    approvals: 2,
    from: ['role:finance'],
    veto: true,
    escalate: [],
  };
}

function withPolicy(
  review: readonly ReviewEntry[],
  perRound: number,
  parameters: Variant['parameters'],
): Variant {
  const settings = spaceSettings({ name: 'main', ...(review.length === 0 ? {} : { review }) });
  const world: World = { space: emptySpace(settings) };
  let count = 0;
  const sendAll = (envelopes: readonly Envelope[]): void => {
    for (const envelope of envelopes) send(world, envelope);
  };
  return {
    parameters,
    round(time) {
      const ids = Array.from({ length: perRound }, () => `proposal-${count++}`);
      const proposals = ids.map((id) => propose(id));
      time('propose', perRound, () => sendAll(proposals));
      const decisions = ids.flatMap((id) => [
        fulfil(`request-${id}`, id),
        answer(`answer-${id}`, `request-${id}`),
      ]);
      time('fulfil and answer', perRound, () => sendAll(decisions));
      for (const id of ids) world.space = evictProposal(world.space, id);
    },
  };
}
