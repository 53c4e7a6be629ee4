import { objectsIn, textOf } from '@proffer/core/json';
import { decisionOn, type Proposal } from '@proffer/core/operations';
import { marksOf, stateOf } from '@proffer/core/words';
import type { PlacedRecord } from '../history/read-records.js';
import { nameOf } from '../space/tools.js';

/** How calls end, in the order in which they are drawn. */
export const OUTCOMES = ['approved', 'failed', 'rejected', 'withdrawn', 'expired'] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

/** What or who decided; `nobody` if time ran out or its proposer withdrew it. */
export type DecidedBy = 'person' | 'rule' | 'grant' | 'nobody';

/** A call about which something was decided. */
export interface DecidedCall {
  readonly proposal?: string;
  readonly agent: string;
  readonly tool: string;
  readonly outcome: OutcomeName;
  readonly decider: DecidedBy;
  readonly by?: string | undefined;
  /** When it was decided, in milliseconds since 1970. */
  readonly at: number;
  /** How long that took, in milliseconds. */
  readonly took: number;
}

/** A guard reports fewer calls in one message (I-7). */
const MAX_CALLS = 1_000;

/** Everything that was decided: proposals, and calls that the rules of a guard or hook decided before anyone was asked. */
export function decidedCalls(
  proposals: readonly Proposal[],
  records: readonly PlacedRecord[],
): readonly DecidedCall[] {
  return [...proposals.flatMap(ofProposal), ...records.flatMap(ofGuard)];
}

function ofProposal(proposal: Proposal): readonly DecidedCall[] {
  const decision = decisionOn(proposal);
  if (decision === undefined) return [];
  const { by, at, took } = decision;
  const marks = marksOf(proposal);
  const isDecided = by !== undefined && by !== proposal.proposer;
  return [
    {
      proposal: proposal.id,
      agent: proposal.proposer,
      tool: nameOf(proposal),
      outcome: outcomeOf(proposal),
      decider: marks.includes('granted')
        ? 'grant'
        : marks.includes('by_rule')
          ? 'rule'
          : isDecided
            ? 'person'
            : 'nobody',
      ...(isDecided ? { by } : {}),
      at,
      took,
    },
  ];
}

function outcomeOf(proposal: Proposal): OutcomeName {
  const state = stateOf(proposal);
  switch (state) {
    case 'rejected':
    case 'declined':
      return 'rejected';
    case 'withdrawn':
    case 'expired':
    case 'failed':
      return state;
    default:
      return 'approved';
  }
}

function ofGuard({ principal, time, envelope }: PlacedRecord): readonly DecidedCall[] {
  const found: DecidedCall[] = [];
  if (envelope.kind !== 'chat.message') return found;
  for (const decision of objectsIn(envelope.payload['decisions'])) {
    const { action, calls } = decision;
    if (action !== 'allow' && action !== 'deny') continue;
    for (const own of calls === undefined ? [decision] : objectsIn(calls)) {
      if (found.length === MAX_CALLS) return found;
      const moment = Date.parse(textOf(own['at']));
      found.push({
        agent: principal,
        tool: textOf(decision['tool']),
        outcome: action === 'allow' ? 'approved' : 'rejected',
        decider: 'rule',
        by: principal,
        at: Number.isNaN(moment) ? time : moment,
        took: 0,
      });
    }
  }
  return found;
}
