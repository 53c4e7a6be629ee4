import type { Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';

/** An event in the life of a proposal, as text, with its time. */
export interface CardEvent {
  readonly at: number;
  readonly by: string;
  /** A sentence, ready to be shown. */
  readonly what: string;
  /** Their own message. */
  readonly said?: string | undefined;
  readonly tone: 'plain' | 'good' | 'bad';
}

/** The events of a proposal so far, oldest first. */
export function eventsOf(proposal: Proposal): readonly CardEvent[] {
  const {
    proposer,
    proposedAt,
    approvals,
    counters,
    statuses,
    rejections,
    fulfilment,
    outcome,
    ending,
    phase,
    changedAt,
  } = proposal;
  const events: CardEvent[] = [{ at: proposedAt, by: proposer, what: 'proposed it', tone: 'plain' }];
  for (const [by, { at, status, message }] of statuses)
    events.push({ at, by, what: STATUS[status] ?? plainLine(status), said: message, tone: 'plain' });
  for (const [by, { at, reason, message }] of rejections)
    events.push({ at, by, what: `rejected it: “${reasonInWords(reason)}”`, said: message, tone: 'bad' });
  for (const { at, by, reason } of counters)
    events.push({ at, by, what: 'offered something else', said: reason, tone: 'plain' });
  for (const { at, by, given, needed, onBehalfOf } of approvals) {
    const count = given === undefined || needed === undefined ? '' : `, ${given} of ${needed}`;
    const part = onBehalfOf === undefined ? '' : ` for ${plainLine(onBehalfOf.by)}`;
    events.push({ at, by, what: `approved it${part}${count}`, tone: 'good' });
  }
  if (fulfilment !== undefined) {
    const { at, by, amendment, executor, counter } = fulfilment;
    const runs =
      executor === undefined
        ? ''
        : `; ${plainLine(executor)} ${executor === proposer ? 'may run it' : 'runs it'}`;
    const how = counter === undefined ? 'with changes' : 'as offered instead';
    const what = amendment.length === 0 ? `approved it${runs}` : `approved it ${how}${runs}`;
    events.push({ at, by, what, tone: 'good' });
  }
  if (phase === 'withdrawn') {
    const said = ending?.why === 'withdrawn' ? ending.reason : undefined;
    events.push({ at: changedAt, by: proposer, what: 'withdrew it', said, tone: 'plain' });
  }
  if (outcome !== undefined) events.push(outcomeEvent(outcome));
  if (phase === 'expired') events.push({ at: changedAt, by: '', what: 'It expired', tone: 'plain' });
  if (phase === 'declined') events.push({ at: changedAt, by: '', what: 'It was declined', tone: 'bad' });
  return events.sort((left, right) => left.at - right.at);
}

const STATUS: Readonly<Record<string, string>> = {
  considering: 'is considering it',
  queued: 'has it in the queue',
  processing: 'is working on it',
  unable: 'cannot do it',
};

function outcomeEvent({ at, by, result, cause, notRun }: NonNullable<Proposal['outcome']>): CardEvent {
  if (cause === 'not_reported') return { at, by: '', what: 'Nobody reported how it ended', tone: 'plain' };
  if (notRun === true) return { at, by: by ?? '', what: 'did not run it', tone: 'plain' };
  if (result === 'unknown') return { at, by: '', what: 'It is not known whether it ran', tone: 'bad' };
  const who = by ?? '';
  return result === 'ok'
    ? { at, by: who, what: 'ran it', tone: 'good' }
    : { at, by: who, what: 'ran it, and it failed', tone: 'bad' };
}

/** The usual reasons for a rejection (O-17), in plain words. */
export const REASONS: readonly (readonly [reason: string, words: string])[] = [
  ['unsafe', 'Unsafe'],
  ['disagree', 'I disagree'],
  ['invalid', 'Wrong arguments'],
  ['policy', 'Against our policy'],
  ['duplicate', 'Done already'],
  ['busy', 'Not now'],
];

const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(REASONS),
  incapable: 'I cannot do it',
  timeout: 'It took too long',
  resource_limit: 'Too much',
  other: 'Another reason',
};

/** A reason as text: a usual one, or a custom message. */
export function reasonInWords(reason: string): string {
  return (Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined) ?? plainLine(reason);
}
