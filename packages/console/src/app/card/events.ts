import type { JsonObject } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { describeEnding, describeStep, type Tone, type Voice } from '@proffer/core/words';

/** An event in the life of a proposal, as text, with its time. */
export interface CardEvent {
  readonly at: number;
  /** Empty if the gateway did it. */
  readonly by: string;
  /** After the name, or a sentence; ready to be shown. */
  readonly what: string;
  /** Their own message. */
  readonly said?: string | undefined;
  readonly tone: Tone;
}

/** The events of a proposal so far, oldest first. */
export function eventsOf(proposal: Proposal, voice: Voice): readonly CardEvent[] {
  const { proposer, proposedAt, to, fulfilment, outcome, ending, phase, changedAt } = proposal;
  const step = (
    by: string,
    at: number,
    type: string,
    { payload = {}, facts = {} }: { readonly payload?: JsonObject; readonly facts?: JsonObject },
  ): CardEvent => {
    const { what, said, tone } = describeStep({ type, payload, facts, to }, voice);
    return { at, by, what, said, tone };
  };
  const events: CardEvent[] = [
    step(proposer, proposedAt, 'proposed', {}),
    ...[...proposal.statuses].map(([by, said]) => step(by, said.at, 'status_reported', { payload: said })),
    ...[...proposal.rejections].map(([by, { at, ...said }]) => step(by, at, 'rejected', { payload: said })),
    ...proposal.counters.map(({ by, at, reason }) => step(by, at, 'countered', { payload: { reason } })),
    ...proposal.approvals.map(({ by, at, ...facts }) => step(by, at, 'approved', { facts })),
  ];
  // The proposing agent runs the call, and may not have done so yet (O-46).
  const isOwn = fulfilment?.executor === proposer;
  if (fulfilment !== undefined)
    events.push(
      step(fulfilment.by, fulfilment.at, 'fulfilled', { facts: { ...fulfilment, allowed: isOwn } }),
    );
  if (phase === 'withdrawn')
    events.push(step(proposer, changedAt, 'withdrawn', { payload: withdrawalOf(proposal) }));
  else if (ending !== undefined)
    events.push({ at: changedAt, by: '', what: describeEnding(ending, voice), tone: 'bad' });
  if (outcome?.result === 'unknown') {
    const payload = { notice: 'outcome_unknown', cause: outcome.cause, executor: outcome.by };
    events.push(step('', outcome.at, 'outcome_unknown', { payload }));
  } else if (outcome !== undefined) {
    const facts = { outcome: outcome.result, notRun: outcome.notRun };
    events.push(step(outcome.by ?? '', outcome.at, 'answered', { facts }));
  }
  return events.sort((left, right) => left.at - right.at);
}

/** A proposal that its proposer gave up was rejected by someone whom another event names. */
function withdrawalOf({ ending }: Proposal): JsonObject {
  return { reason: ending?.why === 'withdrawn' ? ending.reason : 'declined' };
}
