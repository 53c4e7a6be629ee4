import type { Decision } from '../decision.js';
import type { Envelope } from '../envelope/envelope.js';
import { quote } from '../json/describe.js';
import { refuse } from '../refusal/refusal.js';
import type { Surroundings } from './context.js';
import { refuseUnknownProposal } from './decide-remark.js';
import { fingerprint } from './fingerprint.js';
import type { Fulfilment, Proposal } from './proposal.js';
import type { ProposalRecord } from './records.js';

/**
 * The response to a fulfilment: it settles the proposal and reaches fulfiller and proposer whatever
 * its `to` says (O-14). Only the executor may give it. A second one is late; one that comes after the
 * outcome was declared unknown is welcome, since it makes it known (O-23).
 */
export function decideAnswer(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now }: Pick<Surroundings, 'now'>,
): Decision<ProposalRecord> {
  if (proposal?.fulfilment === undefined) return { refused: refuseUnknownProposal(envelope) };
  const { fulfilment, outcome } = proposal;
  if (!mayAnswer(fulfilment, envelope.from)) {
    const who = fulfilment.executor === undefined ? fulfilment.to : [fulfilment.executor];
    const sentence = `${quote(envelope.from)} was not asked to run ${quote(fulfilment.request)}.`;
    return { refused: refuse('not_executor', sentence, { request: fulfilment.request, executors: who }) };
  }
  if (outcome !== undefined && outcome.result !== 'unknown') return { unchanged: 'late' };
  const record: ProposalRecord = {
    type: 'answered',
    time: now,
    principal: envelope.from,
    envelope,
    facts: {
      proposal: proposal.id,
      fingerprint: fingerprint(envelope),
      audience: [...new Set([fulfilment.by, proposal.proposer])],
      outcome: isError(envelope) ? 'error' : 'ok',
      method: proposal.method,
    },
  };
  return { records: [record] };
}

function mayAnswer({ executor, to }: Fulfilment, who: string): boolean {
  if (executor !== undefined) return who === executor;
  return to.length === 0 || to.includes(who);
}

/** A JSON-RPC error, or a tool result that says of itself that it failed. */
function isError({ payload }: Envelope): boolean {
  const { error, result } = payload;
  if (error !== undefined) return true;
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}
