import type { ProposalEnding } from '../operations/proposal/ending.js';
import type { Fulfilment, Proposal } from '../operations/proposal/proposal.js';
import { describeEnding } from './ending.js';
import { describeState, type Stated, type StateName, stateOf } from './state.js';
import { subject, type Voice } from './voice.js';

/** What the words about a decision depend on; a view of a proposal has that, too. */
export type DecidedProposal = Stated & {
  readonly ending?: ProposalEnding | undefined;
  readonly fulfilment?:
    | Pick<Fulfilment, 'by' | 'amendment' | 'grant' | 'counter' | 'answerBy' | 'onBehalfOf'>
    | undefined;
  readonly cleared?: Pick<NonNullable<Proposal['cleared']>, 'by'> | undefined;
};

/** Who decided what about a proposal, and why, in a sentence or two; `undefined` while it is pending. */
export function describeDecision(proposal: DecidedProposal, voice: Voice): string | undefined {
  const { phase, ending, fulfilment, cleared } = proposal;
  if (phase === 'pending') return undefined;
  if (fulfilment !== undefined) {
    const { by, amendment, grant, counter, onBehalfOf } = fulfilment;
    const part = onBehalfOf === undefined ? '' : ` for ${voice.name(onBehalfOf.by)}`;
    if (grant !== undefined)
      return `${subject(by, voice)} allowed this call beforehand (grant ${voice.text(grant)}).`;
    const changes = counter === undefined ? ' with changes' : ' as offered';
    return `${subject(by, voice)} approved this call${part}${amendment.length === 0 ? '' : changes}.`;
  }
  if (ending !== undefined) return describeEnding(ending, voice);
  if (cleared !== undefined) return `${subject(cleared.by, voice)} approved this call.`;
  // An older gateway does not say why.
  return `This call is ${describeState(proposal).word}.`;
}

/** What a rejection led to, by the state after it (O-31). */
export function describeAfterRejection(
  proposal: DecidedProposal & Pick<Proposal, 'proposer'>,
  voice: Voice,
): string {
  const ended = describeDecision(proposal, voice);
  if (ended !== undefined) return ended;
  const { proposer } = proposal;
  return `This call stays pending unless ${voice.name(proposer)} withdraws it. Others may still approve it.`;
}

const RESULTS: Readonly<Record<StateName, string>> = {
  pending: 'It is waiting for a decision.',
  approved: 'It has not started yet.',
  running: 'It is running.',
  allowed: 'Its agent has not reported back.',
  sent: 'It was sent.',
  done: 'It ran.',
  failed: 'It failed.',
  not_run: 'It did not run.',
  not_reported: 'Its agent never reported how the call ended.',
  unknown: 'Nobody knows whether it ran.',
  rejected: 'Nothing ran.',
  withdrawn: 'Nothing ran.',
  expired: 'Nothing ran.',
  declined: 'Nothing ran.',
};

/** What became of a call, after a sentence that names it. */
export function describeResult(proposal: Stated): string {
  return RESULTS[stateOf(proposal)];
}
