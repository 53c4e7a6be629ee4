import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { isJsonObject, type JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { countsFor } from '../agreements/agreement.js';
import type { ProposalContext } from '../context.js';
import { waitsFor } from '../dependencies/dependency.js';
import { checkSigned, demandsSignature, isSignedNow } from '../keys/check-signed.js';
import { endedByRemoval } from '../membership/given.js';
import { operationDigest } from '../proposal/decide-propose.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { fulfilmentBy } from '../proposal/fulfilment.js';
import { checkMayFulfil } from '../proposal/may-fulfil.js';
import { type Approval, fixedExecutor, type Proposal, partyOf, personOf } from '../proposal/proposal.js';
import type { Approved, Fulfilled, ProposalRecord } from '../records.js';
import type { SpaceState } from '../space/space.js';
import { type ApprovalRole, approvalRoleOf } from './approval-role.js';
import { approversOf, isRequester, reviewOf, vetoBy } from './approvers.js';
import { isNamed, type ReviewEntry } from './policy.js';
import { checkShownVersion } from './shown-version.js';

/** A message that approves a proposal, and the request that runs if it is enough. For a request they are the same. */
export interface Approving {
  readonly envelope: Envelope;
  readonly request: Envelope;
}

/**
 * Counts an approval (O-28, O-29). Without a matching policy entry, one is enough. Otherwise it must
 * come from someone whose approval counts, once per person, and all of them must be for the same
 * digest and the same executor. The completing one is the fulfilment (O-12).
 */
export function countApproval(
  proposal: Proposal,
  { envelope, request }: Approving,
  context: ProposalContext,
): Decision<ProposalRecord> {
  // An accepted counter-offer is sent by the proposer, on the authority of its author.
  const { from: by } = request;
  const { settings, sender, space } = context;
  const { params } = request.payload;
  const entry = reviewOf(proposal, settings, isJsonObject(params) ? params : undefined);
  const refused =
    checkMayFulfil(proposal, by, entry === undefined ? context : underPolicy(context)) ??
    checkSession(proposal, entry, context);
  if (refused !== undefined) return { refused };
  const { seen } = envelope.payload;
  const fulfilled = fulfilmentBy(
    entry === undefined ? proposal : asFixed(proposal, request, context),
    request,
    context,
    // What the proposer of an accepted counter-offer saw is not what its author saw.
    envelope.from === by ? seen : undefined,
  );
  if ('refused' in fulfilled) return fulfilled;
  const changed =
    seen === undefined ? undefined : checkShownVersion(proposal, { seen, ...executorIn(fulfilled) }, context);
  if (changed !== undefined) return { refused: changed };
  const grantRefusal = checkOwnRight(proposal, by, { entry, grant: context.grant });
  if (grantRefusal !== undefined) return { refused: grantRefusal };
  const isMessage = envelope !== request;
  const held = waitsFor(proposal).length > 0;
  const checkOwn = () => checkSigned(proposal, { envelope, request }, fulfilled, { entry, context });
  if (entry === undefined) {
    const signed = checkOwn();
    if ('refused' in signed) return signed;
    if (held)
      return { records: [approved(proposal, envelope, fulfilled, { ...signed, ...heldBack(proposal, {}) })] };
    if (isMessage) return { records: [approved(proposal, envelope, fulfilled, signed), fulfilled] };
    return { records: [signed.signed === undefined ? fulfilled : withFacts(fulfilled, signed)] };
  }
  const { ranDigest: digest, executor } = fulfilled.facts;
  const approvers = approversOf(proposal, entry, settings);
  const earlier = countedFor(proposal, digest, { entry, approvers, space });
  const asked = { entry, approvers, params: isJsonObject(params) ? params : undefined, earlier };
  const approvalRole = approvalRoleOf(proposal, by, asked, context);
  if ('refused' in approvalRole) return approvalRole;
  const takeoverRefusal = checkTakeover(proposal, fulfilled, approvalRole);
  if (takeoverRefusal !== undefined) return { refused: takeoverRefusal };
  const approver = { by, ...subjectOf(sender), ...approvalRole };
  const person = personOf(approver);
  const others = earlier.filter((each) => !isSamePart(each, approver));
  // A policy that needs fewer now runs nothing by itself (decision 0014): whoever approves again does.
  const isRepeated = others.length < earlier.length && earlier.length < entry.approvals;
  const executorRefusal =
    (isRepeated ? refuseRepeated(proposal, earlier, approver) : undefined) ??
    checkExecutor(proposal, earlier, { executor, runBy: request.to ?? [] });
  if (executorRefusal !== undefined) return { refused: executorRefusal };
  // Nobody is asked to sign what would not count.
  const signed = checkOwn();
  if ('refused' in signed) return signed;
  const given = others.length + 1;
  const rested = {
    entry: entry.name,
    ...subjectOf(sender),
    ...(sender?.roles === undefined ? {} : { roles: sender.roles }),
    given,
    needed: entry.approvals,
    ...approvalRole,
    ...(context.agreement === undefined ? {} : { session: context.agreement.session }),
  };
  const missing = missingFrom(approvers, [...earlier, approver].flatMap(namesOf));
  const record = approved(proposal, envelope, fulfilled, { ...rested, ...signed, missing });
  if (given < entry.approvals && approvalRole.alone !== true) return { records: [record] };
  const approvedBy = [...others.map(personOf), person];
  const vetoer = vetoBy(proposal, entry, { settings, approved: approvedBy });
  if (vetoer !== undefined) return { refused: refuseVetoed(proposal, entry, vetoer) };
  if (held) {
    const facts = { ...record.facts, ...heldBack(proposal, rested) };
    return { records: [{ ...record, facts }] };
  }
  // The signature is in the record of the message that has it.
  return isMessage
    ? { records: [record, withFacts(fulfilled, rested)] }
    : { records: [withFacts(fulfilled, { ...rested, ...signed })] };
}

function withFacts(fulfilled: Fulfilled, more: Partial<Fulfilled['facts']>): Fulfilled {
  return { ...fulfilled, facts: { ...fulfilled.facts, ...more } };
}

function executorIn({ facts: { executor } }: Fulfilled): { readonly executor: string | undefined } {
  return { executor };
}

/** An agent that approves alone cannot let another executor take over a tool: a person has to. */
function checkTakeover(
  { id }: Proposal,
  { facts: { executor, insteadOf } }: Fulfilled,
  { alone }: ApprovalRole,
): Refusal | undefined {
  if (insteadOf === undefined || alone !== true) return undefined;
  const sentence = `${quote(executor ?? '')} would run ${quote(id)} in place of ${quote(insteadOf)}; a person has to approve that.`;
  return refuse('agent_limit', sentence, { proposal: id, executor, insteadOf });
}

/** The approval of a proposal that still waits for others: it runs when they have settled `ok` (O-37). */
function heldBack(proposal: Proposal, rested: JsonObject): Pick<Approved['facts'], 'waitsFor' | 'rested'> {
  return { waitsFor: waitsFor(proposal), rested };
}

/**
 * Why an approval of these params would not count now, whatever the approver's capabilities.
 * `undefined` if it would.
 */
export function checkMayApprove(
  proposal: Proposal,
  { who, params, digest }: { readonly who: string; readonly params: JsonObject; readonly digest: string },
  context: ProposalContext,
): Refusal | undefined {
  const { settings } = context;
  const entry = reviewOf(proposal, settings, params);
  if (entry === undefined) return checkMayFulfil(proposal, who, context);
  const refused =
    checkMayFulfil(proposal, who, underPolicy(context)) ?? checkSession(proposal, entry, context);
  if (refused !== undefined) return refused;
  const approvers = approversOf(proposal, entry, settings);
  const earlier = countedFor(proposal, digest, { entry, approvers, space: context.space });
  const approvalRole = approvalRoleOf(proposal, who, { entry, approvers, params, earlier }, context);
  return 'refused' in approvalRole ? approvalRole.refused : undefined;
}

/** Why an approval does not count that is not given in a session, under an entry that requires one (O-53). */
function checkSession(
  { id }: Proposal,
  entry: ReviewEntry | undefined,
  { agreement }: ProposalContext,
): Refusal | undefined {
  if (entry?.by === undefined || (agreement !== undefined && countsFor(entry, agreement))) return undefined;
  const { modes, policies } = entry.by;
  const sentence = `${quote(id)} is approved in a session, by ${entry.approvals} of ${entry.from.map(quote).join(', ')}.`;
  return refuse('session_required', sentence, { proposal: id, entry: entry.name, modes, policies });
}

/** Under a policy a proposer never approves its own proposal, whatever else the space allows (O-30). */
function underPolicy(context: ProposalContext): ProposalContext {
  return { ...context, settings: { ...context.settings, selfFulfilment: false } };
}

/** What approvals are counted by. */
interface CountedBy {
  readonly entry: ReviewEntry;
  readonly approvers: readonly string[];
  readonly space: Pick<SpaceState, 'participants' | 'settings'>;
}

/** Approvals of the same params that still count by this entry, one per person; none by somebody removed since (O-52). */
export function countedFor(
  proposal: Proposal,
  digest: string,
  { entry, approvers, space }: CountedBy,
): readonly Approval[] {
  const isSigned = demandsSignature(entry, space.settings);
  const isOut = (approval: Approval): boolean =>
    entry.notRequester === true &&
    (isRequester(proposal, approval) || isRequester(proposal, approval.onBehalfOf ?? approval));
  return proposal.approvals.filter((approval) => {
    if (approval.digest !== digest || isOut(approval)) return false;
    if (isSigned && !isSignedNow(approval, proposal.subject, space)) return false;
    if (namesOf(approval).some((by) => endedByRemoval(space, { by, at: approval.at }))) return false;
    const { by: name, roles } = approval.onBehalfOf ?? approval;
    return isNamed(approvers, { name, roles });
  });
}

function subjectOf(sender: ProposalContext['sender']): { readonly subject?: string } {
  return sender?.subject === undefined ? {} : { subject: sender.subject };
}

/** Who approved, and for whom. */
export function namesOf({ by, onBehalfOf }: Pick<Approval, 'by' | 'onBehalfOf'>): readonly string[] {
  return onBehalfOf === undefined ? [by] : [by, onBehalfOf.by];
}

/**
 * Approving cannot be granted (O-41), and a request that fulfils another's proposal approves it
 * (O-29): a grant is for its holder's own calls. Under a policy it does not approve the holder's own
 * call either.
 */
function checkOwnRight(
  { id, proposer }: Proposal,
  by: string,
  { entry, grant }: { readonly entry: ReviewEntry | undefined; readonly grant: string | undefined },
): Refusal | undefined {
  if (grant === undefined || (entry === undefined && by === proposer)) return undefined;
  const sentence = `Your grant lets you make this call yourself, but not approve ${quote(id)}.`;
  const policy = entry === undefined ? {} : { entry: entry.name };
  return refuse('not_approver', sentence, { proposal: id, ...policy, grant });
}

function refuseVetoed({ id }: Proposal, { name: entry }: ReviewEntry, by: string): Refusal {
  const sentence = `${quote(by)} has rejected ${quote(id)}, and may veto what would run.`;
  return refuse('vetoed', sentence, { proposal: id, entry, by });
}

type Approver = Pick<Approval, 'by' | 'subject' | 'onBehalfOf'>;

/**
 * Each person approves once, and each part counts once, whoever gives it (O-30, O-34). A participant that is
 * known as another person now, by another configuration or another JWT, has still approved already.
 */
function isSamePart(one: Approver, other: Approver): boolean {
  return isSamePerson(one, other) || partyOf(one) === partyOf(other);
}

function isSamePerson(one: Approver, other: Approver): boolean {
  return one.by === other.by || personOf(one) === personOf(other);
}

function refuseRepeated(
  { id }: Proposal,
  earlier: readonly Approval[],
  approver: Approver,
): Refusal | undefined {
  const same = earlier.find((each) => isSamePart(each, approver));
  if (same === undefined) return undefined;
  const isDone = isSamePerson(same, approver);
  const done = isDone ? 'has approved' : `already has the approval of ${quote(same.by)} for`;
  const who = isDone ? personOf(approver) : partyOf(approver);
  const sentence = `${quote(who)} ${done} ${quote(id)}${isDone ? ' already' : ' in its place'}.`;
  return refuse('already_approved', sentence, { proposal: id, by: same.by, at: same.at });
}

/** Without an executor, the one that earlier approvals of the same params fixed is meant. */
function asFixed(proposal: Proposal, { to = [], payload }: Envelope, { hash }: ProposalContext): Proposal {
  if (proposal.executor !== undefined || proposal.approvals.length === 0 || to.length > 0) return proposal;
  const { params } = payload;
  const digest = operationDigest(proposal.method, params, hash);
  return { ...proposal, executor: fixedExecutor(proposal, digest) };
}

/** The first approval of these params fixes who runs them: later approvals are for the same. */
function checkExecutor(
  { id }: Proposal,
  [first]: readonly Approval[],
  { executor, runBy }: Pick<Approval, 'executor'> & { readonly runBy: readonly string[] },
): Refusal | undefined {
  if (first === undefined) return undefined;
  // Approvals recorded before `runBy` existed do not say.
  const isSame = executor === undefined ? sameNames(first.runBy ?? runBy, runBy) : true;
  if (first.executor === executor && isSame) return undefined;
  const names = first.executor === undefined ? (first.runBy ?? []) : [first.executor];
  const who = names.length === 0 ? 'nobody in particular' : names.map(quote).join(', ');
  return refuse('executor_changed', `${quote(id)} was approved for ${who} to run.`, {
    proposal: id,
    executor: first.executor,
    runBy: first.runBy,
  });
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && one.every((name) => right.has(name));
}

/** Whose approval is still possible: the names and roles that count, without those who have approved. */
export function missingFrom(approvers: readonly string[], given: readonly string[]): readonly string[] {
  return [...new Set(approvers)].filter((each) => !given.includes(each));
}

function approved(
  proposal: Proposal,
  envelope: Envelope,
  fulfilled: Fulfilled,
  more: Partial<Approved['facts']>,
): Approved {
  const { ranDigest: digest, executor, insteadOf } = fulfilled.facts;
  return {
    type: 'approved',
    time: fulfilled.time,
    principal: envelope.from,
    envelope,
    facts: {
      proposal: proposal.id,
      fingerprint: fingerprint(envelope),
      audience: [proposal.proposer],
      digest,
      ...(executor === undefined ? { runBy: fulfilled.envelope.to ?? [] } : { executor }),
      ...(insteadOf === undefined ? {} : { insteadOf }),
      ...more,
    },
  };
}
