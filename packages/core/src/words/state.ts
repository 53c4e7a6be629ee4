import type { Proposal } from '../operations/proposal/proposal.js';

/** How good the news is. */
export type Tone = 'good' | 'bad' | 'plain';

/** What became of a proposal so far, as people see it. */
export type StateName =
  | 'pending'
  | 'approved'
  | 'running'
  | 'allowed'
  | 'sent'
  | 'done'
  | 'failed'
  | 'not_run'
  | 'not_reported'
  | 'unknown'
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'declined';

/** A state in a word or two. */
export interface StateWords {
  readonly word: string;
  readonly tone: Tone;
}

/** Every state, in the order of a proposal's life. */
export const STATES: Readonly<Record<StateName, StateWords>> = {
  pending: { word: 'pending', tone: 'plain' },
  approved: { word: 'approved, waiting', tone: 'plain' },
  running: { word: 'running', tone: 'plain' },
  // The proposing agent runs the call (O-46).
  allowed: { word: 'allowed, no report yet', tone: 'plain' },
  // A notification has no answer.
  sent: { word: 'sent', tone: 'good' },
  done: { word: 'done', tone: 'good' },
  failed: { word: 'failed', tone: 'bad' },
  not_run: { word: 'not run', tone: 'plain' },
  not_reported: { word: 'allowed, no report', tone: 'plain' },
  unknown: { word: 'outcome unknown', tone: 'bad' },
  rejected: { word: 'rejected', tone: 'bad' },
  withdrawn: { word: 'withdrawn', tone: 'plain' },
  expired: { word: 'expired', tone: 'plain' },
  declined: { word: 'declined', tone: 'bad' },
};

/** What the words about a state depend on; a view of a proposal has it, too. */
export type Stated = Pick<Proposal, 'phase'> & {
  readonly outcome?: Pick<NonNullable<Proposal['outcome']>, 'result' | 'cause' | 'notRun'> | undefined;
  readonly fulfilment?: Pick<NonNullable<Proposal['fulfilment']>, 'answerBy'> | undefined;
  readonly ending?: Pick<NonNullable<Proposal['ending']>, 'why'> | undefined;
};

const RESULTS = { ok: 'done', error: 'failed', unknown: 'unknown' } as const;

/** The state of a proposal. */
export function stateOf({ phase, outcome, fulfilment, ending }: Stated): StateName {
  switch (phase) {
    case 'pending':
    case 'approved':
    case 'allowed':
    case 'expired':
    case 'declined':
      return phase;
    case 'fulfilled':
      return fulfilment !== undefined && fulfilment.answerBy === undefined ? 'sent' : 'running';
    case 'settled':
      if (outcome?.notRun === true) return 'not_run';
      return outcome?.cause === 'not_reported' ? 'not_reported' : RESULTS[outcome?.result ?? 'unknown'];
    case 'withdrawn':
      // The proposer gave up because of a rejection, so the rejection is what people look for.
      return ending?.why === 'rejected' ? 'rejected' : 'withdrawn';
  }
}

/** The state of a proposal in a word or two. */
export function describeState(proposal: Stated): StateWords {
  return STATES[stateOf(proposal)];
}
