import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { isJsonObject, type JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { waitsFor } from '../dependencies/dependency.js';
import { operationDigest } from '../proposal/decide-propose.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { fulfilmentBy } from '../proposal/fulfilment.js';
import { checkMayFulfil } from '../proposal/may-fulfil.js';
import { type Approval, fixedExecutor, type Proposal, partyOf, personOf } from '../proposal/proposal.js';
import type { Approved, Fulfilled, ProposalRecord } from '../records.js';
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
  const { settings, sender } = context;
  const { params } = request.payload;
  const entry = reviewOf(proposal, settings, isJsonObject(params) ? params : undefined);
  const refused = checkMayFulfil(proposal, by, entry === undefined ? context : underPolicy(context));
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
  const lent = checkOwnRight(proposal, by, { entry, grant: context.grant });
  if (lent !== undefined) return { refused: lent };
  const isMessage = envelope !== request;
  const held = waitsFor(proposal).length > 0;
  if (entry === undefined) {
    if (held) return { records: [approved(proposal, envelope, fulfilled, heldBack(proposal, {}))] };
    return { records: isMessage ? [approved(proposal, envelope, fulfilled, {}), fulfilled] : [fulfilled] };
  }
  const { ranDigest: digest, executor } = fulfilled.facts;
  const approvers = approversOf(proposal, entry, settings);
  const earlier = countedFor(proposal, digest, { entry, approvers });
  const asked = { entry, approvers, params: isJsonObject(params) ? params : undefined, earlier };
  const approvalRole = approvalRoleOf(proposal, by, asked, context);
  if ('refused' in approvalRole) return approvalRole;
  const unseen = checkPersonSaw(proposal, fulfilled, approvalRole);
  if (unseen !== undefined) return { refused: unseen };
  const approver = { by, ...subjectOf(sender), ...approvalRole };
  const person = personOf(approver);
  const others = earlier.filter((each) => !isSamePart(each, approver));
  // A policy that needs fewer now runs nothing by itself (decision 0014): whoever approves again does.
  const isRepeated = others.length < earlier.length && earlier.length < entry.approvals;
  const unfit =
    (isRepeated ? refuseRepeated(proposal, earlier, approver) : undefined) ??
    checkExecutor(proposal, earlier, { executor, runBy: request.to ?? [] });
  if (unfit !== undefined) return { refused: unfit };
  const given = others.length + 1;
  const rested = {
    entry: entry.name,
    ...subjectOf(sender),
    ...(sender?.roles === undefined ? {} : { roles: sender.roles }),
    given,
    needed: entry.approvals,
    ...approvalRole,
  };
  const missing = missingFrom(approvers, [...earlier, approver].flatMap(namesOf));
  const record = approved(proposal, envelope, fulfilled, { ...rested, missing });
  if (given < entry.approvals && approvalRole.alone !== true) return { records: [record] };
  const approvedBy = [...others.map(personOf), person];
  const vetoer = vetoBy(proposal, entry, { settings, approved: approvedBy });
  if (vetoer !== undefined) return { refused: refuseVetoed(proposal, entry, vetoer) };
  if (held) {
    const facts = { ...record.facts, ...heldBack(proposal, rested) };
    return { records: [{ ...record, facts }] };
  }
  const complete = { ...fulfilled, facts: { ...fulfilled.facts, ...rested } };
  return { records: isMessage ? [record, complete] : [complete] };
}

function executorIn({ facts: { executor } }: Fulfilled): { readonly executor: string | undefined } {
  return { executor };
}

/** An agent that approves alone is no person: it lets nobody new run what another one served. */
function checkPersonSaw(
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
  const refused = checkMayFulfil(proposal, who, underPolicy(context));
  if (refused !== undefined) return refused;
  const approvers = approversOf(proposal, entry, settings);
  const earlier = countedFor(proposal, digest, { entry, approvers });
  const approvalRole = approvalRoleOf(proposal, who, { entry, approvers, params, earlier }, context);
  return 'refused' in approvalRole ? approvalRole.refused : undefined;
}

/** Under a policy a proposer never approves its own proposal, whatever else the space allows (O-30). */
function underPolicy(context: ProposalContext): ProposalContext {
  return { ...context, settings: { ...context.settings, selfFulfilment: false } };
}

/** Approvals of the same params that still count by this entry, one per person. */
export function countedFor(
  proposal: Proposal,
  digest: string,
  { entry, approvers }: { readonly entry: ReviewEntry; readonly approvers: readonly string[] },
): readonly Approval[] {
  const isOut = (approval: Approval): boolean =>
    entry.notRequester === true &&
    (isRequester(proposal, approval) || isRequester(proposal, approval.onBehalfOf ?? approval));
  return proposal.approvals.filter((approval) => {
    if (approval.digest !== digest || isOut(approval)) return false;
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
