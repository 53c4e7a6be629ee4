import { authorizeToSome } from '../../capability/authorize.js';
import type { Decision } from '../../decision.js';
import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { diffJson } from '../../json/diff.js';
import type { JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { checkArguments } from '../proposal/arguments.js';
import { operationDigest } from '../proposal/decide-propose.js';
import { refuseUnknownProposal } from '../proposal/decide-remark.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { refuseNotPending } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { checkMayApprove } from '../review/count-approval.js';
import { checkCapability, checkSubject } from '../review/decide-approve.js';
import { servedBy } from '../space/servers.js';

/**
 * A counter-offer (O-40): other params for the same tool, prompt or resource. A reviewer needs what
 * approving them needs; the proposer needs what proposing them needs. It runs nothing.
 */
export function decideCounter(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  if (proposal.phase !== 'pending') return { refused: refuseNotPending(proposal) };
  const params = envelope.payload['params'] as JsonObject;
  const digest = operationDigest(proposal.method, params, context.hash);
  const refused =
    checkSubject(proposal, params) ??
    checkDifferent(proposal, digest) ??
    checkRights(proposal, { params, digest }, envelope, context) ??
    checkRounds(proposal, context);
  if (refused !== undefined) return { refused };
  const checked = checkOffered(proposal, envelope, context);
  if ('refused' in checked) return checked;
  const [answers = proposal.id] = correlationIds(envelope);
  const { subject, roles } = context.sender ?? {};
  const record: ProposalRecord = {
    type: 'countered',
    time: context.now,
    principal: envelope.from,
    envelope,
    facts: {
      proposal: proposal.id,
      fingerprint: fingerprint(envelope),
      audience: audienceOf(proposal, answers),
      digest,
      answers,
      amendment: diffJson(proposal.params, params),
      ...(subject === undefined ? {} : { subject }),
      ...(roles === undefined ? {} : { roles }),
      ...checked,
    },
  };
  return { records: [record] };
}

/** The author of what it answers gets it, whatever `to` says. */
function audienceOf({ proposer, counters }: Proposal, answers: string): readonly string[] {
  const answered = counters.find(({ id }) => id === answers)?.by ?? proposer;
  return answered === proposer ? [proposer] : [proposer, answered];
}

function checkRights(
  proposal: Proposal,
  { params, digest }: { readonly params: JsonObject; readonly digest: string },
  { from, payload }: Envelope,
  context: ProposalContext,
): Refusal | undefined {
  if (from === proposal.proposer) return checkMayPropose(proposal, params, context);
  return (
    checkMayApprove(proposal, { who: from, params, digest }, context) ??
    checkCapability(proposal, params, { from, executor: payload['executor'] }, context)
  );
}

/** A proposer offers nothing that it could not propose. */
function checkMayPropose(
  { method, proposer: from }: Proposal,
  params: JsonObject,
  { sender }: ProposalContext,
): Refusal | undefined {
  if (sender === undefined) return undefined;
  return authorizeToSome(sender.capabilities, {
    from,
    kind: `mcp.proposal.${method}`,
    payload: { method, params },
  });
}

function checkDifferent({ id, digest: proposed }: Proposal, digest: string): Refusal | undefined {
  if (digest !== proposed) return undefined;
  const field = 'payload.params';
  return refuse('invalid_field', `${field} is the same as what ${quote(id)} already proposes.`, {
    field,
    expected: 'params that differ from the proposed ones',
  });
}

function checkRounds({ id, counters }: Proposal, { settings }: ProposalContext): Refusal | undefined {
  const { counterRounds: limit } = settings;
  if (counters.length < limit) return undefined;
  const sentence = `${quote(id)} has had ${counters.length} counter-offers; this space allows ${limit}.`;
  return refuse('too_many_counters', sentence, { proposal: id, limit });
}

function checkOffered({ subject, executor }: Proposal, { payload }: Envelope, context: ProposalContext) {
  const { params, executor: named = executor } = payload;
  const servers =
    typeof named === 'string' ? [named] : subject === undefined ? [] : servedBy(context.space, subject);
  return checkArguments({ subject, params }, servers, context);
}
