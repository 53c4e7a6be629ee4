import { authorize } from '../../capability/authorize.js';
import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { subjectOf } from '../../envelope/kind.js';
import { quote } from '../../json/describe.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { offeredParams } from '../counter/counter.js';
import { operationDigest } from '../proposal/decide-propose.js';
import { refuseUnknownProposal } from '../proposal/decide-remark.js';
import { derivedRequest } from '../proposal/derived-request.js';
import { approvalsWithout } from '../proposal/evolve-proposal.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { requestFor } from '../proposal/may-fulfil.js';
import { type Proposal, personOf } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { countApproval } from './count-approval.js';

/**
 * Approval by digest (O-29): the approver says exactly what it saw. It needs the capability for the
 * request that would run, as a fulfilling request does. The approval that completes the policy is the
 * fulfilment: the gateway derives the request from it, in the approver's name.
 */
export function decideApprove(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  if (proposal === undefined) return { refused: refuseUnknownProposal(envelope) };
  const { from, payload } = envelope;
  const { executor } = payload;
  if (payload['revoke'] === true) return decideTakeBack(proposal, envelope, context);
  const params = isJsonObject(payload['params'])
    ? payload['params']
    : offeredParams(proposal, payload['digest']);
  // If it is no longer pending, these checks do not matter: `countApproval` reports that.
  const refused =
    proposal.phase === 'pending'
      ? (checkSubject(proposal, params) ??
        checkDigest(proposal, params, envelope, context) ??
        checkCapability(proposal, params, { from, executor }, context))
      : undefined;
  if (refused !== undefined) return { refused };
  const to = typeof executor === 'string' ? [executor] : [];
  const request = derivedRequest(proposal, params, { ...envelope, to });
  return countApproval(proposal, { envelope, request }, context);
}

/**
 * Taking an approval back, until the policy is met (O-29). It rejects nothing, so it ends nothing either, whatever a
 * policy says about rejections.
 */
function decideTakeBack(
  proposal: Proposal,
  envelope: Envelope,
  { now, sender }: ProposalContext,
): Decision<ProposalRecord> {
  const { id, phase, approvals } = proposal;
  const { from } = envelope;
  if (phase !== 'pending') return { unchanged: 'late' };
  const subject = sender?.subject;
  const person = personOf({ by: from, ...(subject === undefined ? {} : { subject }) });
  if (approvalsWithout(proposal, from, person).length === approvals.length) {
    const sentence = `${quote(from)} has not approved ${quote(id)}, so there is nothing to take back.`;
    return { refused: refuse('not_approver', sentence, { proposal: id }) };
  }
  const about = { proposal: id, fingerprint: fingerprint(envelope), audience: [proposal.proposer] };
  const facts = { ...about, ...(subject === undefined ? {} : { subject }) };
  return { records: [{ type: 'approval_withdrawn', time: now, principal: from, envelope, facts }] };
}

/** The approved call must be about the same tool, prompt or resource as the proposal (O-11). */
export function checkSubject(
  { method, subject }: Proposal,
  params: JsonObject | undefined,
): Refusal | undefined {
  const found = subjectOf(method, params)?.name;
  if (found === subject?.name) return undefined;
  const what = `payload.params names ${found === undefined ? 'nothing' : quote(found)}`;
  return refuse('kind_mismatch', `${what}, but the proposal is for ${quote(subject?.name ?? method)}.`, {
    field: 'payload.params',
    found,
    expected: subject?.name,
  });
}

/** Nobody approves what they did not see: the digest is of what would run. */
function checkDigest(
  proposal: Proposal,
  params: JsonObject | undefined,
  { payload }: Envelope,
  { hash }: ProposalContext,
): Refusal | undefined {
  const isAsProposed = params === proposal.params;
  const expected = isAsProposed ? proposal.digest : operationDigest(proposal.method, params, hash);
  const { digest: found } = payload;
  if (found === expected) return undefined;
  return refuse('digest_mismatch', `The digest does not match what would run for ${quote(proposal.id)}.`, {
    proposal: proposal.id,
    found,
    expected,
  });
}

/** Whether the sender could make the request that would run: to the executor, if one was chosen. */
export function checkCapability(
  { method }: Proposal,
  params: JsonObject | undefined,
  { from, executor }: { readonly from: string; readonly executor: JsonValue | undefined },
  { sender }: ProposalContext,
): Refusal | undefined {
  if (sender === undefined) return undefined;
  const to = typeof executor === 'string' ? [executor] : [];
  return authorize(sender.capabilities, { ...requestFor({ method, params }, from), to });
}
