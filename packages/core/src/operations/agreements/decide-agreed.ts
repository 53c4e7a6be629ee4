import { authorize } from '../../capability/authorize.js';
import type { Decision } from '../../decision.js';
import { PROTOCOL } from '../../envelope/envelope.js';
import { formatKind, subjectOf } from '../../envelope/kind.js';
import { readObject } from '../../envelope/read.js';
import { sha256 } from '../../hash/sha256.js';
import { defined } from '../../json/defined.js';
import { quote } from '../../json/describe.js';
import { REFUSALS } from '../../refusal/codes.js';
import { refuse } from '../../refusal/refusal.js';
import { consequencesFor } from '../consequences.js';
import type { ProposalContext } from '../context.js';
import { refuseWhilePaused } from '../pause/pause-participant.js';
import { decideProposal } from '../proposal/decide-proposal.js';
import { operationDigest } from '../proposal/decide-propose.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { isOpen, type Proposal } from '../proposal/proposal.js';
import type { Agreed, Declined, ProposalRecord, Proposed } from '../records.js';
import { approversOf, reviewOf } from '../review/approvers.js';
import { couldApprove } from '../review/could-approve.js';
import { isClosed, isNamed, type ReviewEntry } from '../review/policy.js';
import { found, type NoticePayload } from '../routing/notice.js';
import { markSeenBy } from '../routing/visibility.js';
import { type AgreedCall, type AgreedOutcome, countsFor, type SessionAgreement } from './agreement.js';
import { approveBy, messageOf, rightsIn } from './count-agreements.js';

/** A commitment this old makes nothing run, in milliseconds: the gateways were down, and nobody expects it any more. */
const TOO_LATE = 86_400_000;

/** The proposal that an agreement is about: its own, whose id nobody else can use, or the one that it names. */
export function proposalAgreedOn({ call, agreement }: AgreedOutcome): string {
  if (call.proposal !== undefined) return call.proposal;
  const { session, commitment } = agreement;
  return `system:agreed-${sha256(JSON.stringify([session, commitment])).slice(0, 32)}`;
}

/**
 * What a committed session means for a proposal (O-53): a new one in the committer's name, or the one that it names, once
 * for each session. What its participants accepted and rejected counts as their approvals and rejections where the review
 * policy says so. Refused without a trace if the committer could not have proposed the call, or is not concerned.
 */
export function decideAgreed(
  proposal: Proposal | undefined,
  outcome: AgreedOutcome,
  context: ProposalContext,
): Decision<ProposalRecord> {
  const { call, agreement } = outcome;
  const decision =
    call.proposal === undefined
      ? decideNew(proposal, { call, agreement, id: proposalAgreedOn(outcome) }, context)
      : decideExisting(proposal, { call, agreement }, context);
  if (decision.records === undefined) return decision;
  return { records: markSeenBy(decision.records, proposal, context.settings) };
}

interface Agreement<Call extends AgreedCall> {
  readonly call: Call;
  readonly agreement: SessionAgreement;
}

type NewCall = Extract<AgreedCall, { readonly method: string }>;
type ExistingCall = Extract<AgreedCall, { readonly proposal: string }>;

function decideNew(
  existing: Proposal | undefined,
  { call, agreement, id }: Agreement<NewCall> & { readonly id: string },
  context: ProposalContext,
): Decision<ProposalRecord> {
  const { now } = context;
  if (existing !== undefined) return { unchanged: 'duplicate' };
  if (!agreement.positive) return { unchanged: 'late' };
  const { committedBy: from, reason } = agreement;
  const committer = rightsIn(undefined, from, context);
  if (committer.refused !== undefined) return committer;
  const { method, params, executor } = call;
  const name = subjectOf(method, params)?.name;
  const kind = formatKind({ protocol: 'mcp', operation: 'proposal', method, ...defined({ context: name }) });
  // Whatever was granted to the committer, the agreement decides.
  const payload = { method, ...defined({ params, executor }), reason: reason.slice(0, 500), grants: false };
  const ts = new Date(agreement.at).toISOString();
  const reading = readObject(
    { protocol: PROTOCOL, id, ts, from, kind, payload },
    { from, now, fallbackId: id },
  );
  if (!reading.ok) return { refused: reading.refusal };
  const { envelope } = reading.value;
  const violation = authorize(committer.rights.capabilities, envelope);
  if (violation !== undefined) return { refused: violation };
  const ownContext = { ...context, sender: committer.rights, grant: undefined };
  const proposed = decideProposal(undefined, { type: 'propose', envelope }, ownContext);
  const late = now - agreement.at > TOO_LATE ? describeLate(agreement) : undefined;
  const paused = refuseWhilePaused(context.space, envelope, now);
  const why = late ?? (paused ?? proposed.refused)?.message;
  const records = why === undefined ? (proposed.records ?? []) : [emptyProposal()];
  const current = records.reduce<Proposal | undefined>(evolveProposal, undefined);
  if (current === undefined) return proposed;
  if (why !== undefined)
    return { records: [...records, declinedBySession(current, now, { agreement, why })] };
  const entry = reviewOf(current, context.settings);
  const misfit =
    entry?.by === undefined || countsFor(entry, agreement) ? undefined : describeMisfit(entry, agreement);
  return { records: [...records, ...receive(current, { entry, agreement, misfit }, context)] };

  /** A proposal that is declined at once, with nothing but what was agreed. */
  function emptyProposal(): Proposed {
    const facts = {
      proposal: id,
      fingerprint: fingerprint(envelope),
      digest: operationDigest(method, params, context.hash),
      addressees: [],
    };
    return { type: 'proposed', time: now, principal: from, envelope, facts };
  }
}

function decideExisting(
  before: Proposal | undefined,
  { call, agreement }: Agreement<ExistingCall>,
  context: ProposalContext,
): Decision<ProposalRecord> {
  const committer = rightsIn(before, agreement.committedBy, context);
  if (committer.refused !== undefined) return committer;
  if (before === undefined) {
    const sentence = `Proposal ${quote(call.proposal)} not found in this space.`;
    return { refused: refuse('unknown_proposal', sentence, { proposals: [call.proposal] }) };
  }
  if (before.agreements?.some(({ session }) => session === agreement.session))
    return { unchanged: 'duplicate' };
  const due = consequencesFor(before, context);
  const proposal = due.reduce<Proposal>(evolveProposal, before);
  if (!isOpen(proposal)) return { unchanged: 'late', ...(due.length === 0 ? {} : { due }) };
  const refused = checkConcerned(proposal, { call, agreement }, context);
  if (refused !== undefined) return { refused };
  const entry = reviewOf(proposal, context.settings);
  return { records: [...due, ...receive(proposal, { entry, agreement, misfit: undefined }, context)] };
}

/** Why a session is not about this proposal, or decides nothing about it. */
function checkConcerned(
  proposal: Proposal,
  { call, agreement }: Agreement<ExistingCall>,
  context: ProposalContext,
) {
  const { id, digest } = proposal;
  if (call.digest !== digest) {
    const sentence = `The session decided about another digest than that of ${quote(id)}.`;
    return refuse('digest_mismatch', sentence, { proposal: id, found: call.digest, expected: digest });
  }
  if (context.now - agreement.at > TOO_LATE)
    return refuse('no_agreement', describeLate(agreement), { proposal: id });
  const entry = reviewOf(proposal, context.settings);
  if (entry === undefined || !countsFor(entry, agreement))
    return refuse('no_agreement', describeMisfit(entry, agreement), { proposal: id, entry: entry?.name });
  const { accepted, rejected, abstained } = agreement;
  const approvers = approversOf(proposal, entry, context.settings);
  const isApprover = (name: string): boolean => {
    const { rights } = rightsIn(proposal, name, context);
    return rights !== undefined && isNamed(approvers, { name, roles: rights.roles });
  };
  if ([...accepted, ...rejected, ...abstained].some(isApprover)) return undefined;
  const sentence = `Nobody whose approval counts for ${quote(id)} took a position in the session.`;
  return refuse('not_approver', sentence, { proposal: id, entry: entry.name, from: approvers });
}

interface Received {
  readonly entry: ReviewEntry | undefined;
  readonly agreement: SessionAgreement;
  /** Why the session does not decide about it at all. */
  readonly misfit: string | undefined;
}

/** The record of an agreement, and what follows from it at once. */
function receive(
  proposal: Proposal,
  { entry, agreement, misfit }: Received,
  context: ProposalContext,
): readonly ProposalRecord[] {
  const { now } = context;
  const agreed = agreedOn(proposal, agreement, context);
  const records: ProposalRecord[] = [agreed];
  const received = evolveProposal(proposal, agreed);
  // What was rejected there counts first: otherwise a veto would come too late.
  let current: Proposal = { ...received, agreements: undefined };
  const add = (more: readonly ProposalRecord[]): void => {
    records.push(...more);
    current = more.reduce<Proposal>(evolveProposal, current);
  };
  if (misfit !== undefined) return [...records, declinedBySession(received, now, { agreement, why: misfit })];
  if (entry?.by === undefined) return records;
  for (const name of agreement.rejected) add(rejectBy(current, name, { agreement, context }));
  if (current.phase === 'pending' && !agreement.positive && isOutOfReach(current, entry, agreement))
    add([declinedBySession(current, now, { agreement, why: agreement.reason })]);
  current = { ...current, agreements: received.agreements };
  return [...records, ...consequencesFor(current, context)];
}

/** The rejection of one who rejected the call in a session and could have approved it (O-31). */
function rejectBy(
  proposal: Proposal,
  name: string,
  { agreement, context }: { readonly agreement: SessionAgreement; readonly context: ProposalContext },
): readonly ProposalRecord[] {
  const { rights: sender } = rightsIn(proposal, name, context);
  const own = { ...context, sender, grant: undefined, agreement };
  if (sender === undefined || proposal.phase !== 'pending' || couldApprove(proposal, name, own) === false)
    return [];
  const payload = { reason: 'disagree', session: agreement.session };
  const envelope = messageOf(proposal, name, { kind: 'mcpx.reject.proposal', payload, agreement });
  return decideProposal(proposal, { type: 'reject', envelope }, own).records ?? [];
}

/** Whether too few are left who could approve: those who abstained have had their say, too. */
function isOutOfReach(
  proposal: Proposal,
  entry: ReviewEntry,
  { rejected, abstained }: SessionAgreement,
): boolean {
  const mayGrow = entry.escalate.some(({ to }) => to.length > 0);
  if (!isClosed(entry.from) || mayGrow) return false;
  const hasApproved = (name: string): boolean => proposal.approvals.some(({ by }) => by === name);
  const out = new Set([proposal.proposer, ...rejected, ...abstained]);
  return entry.from.filter((name) => hasApproved(name) || !out.has(name)).length < entry.approvals;
}

function agreedOn(proposal: Proposal, agreement: SessionAgreement, context: ProposalContext): Agreed {
  const { session, mode, policy, commitment, commitmentHash, committedBy: by, positive, reason } = agreement;
  const notCounted = agreement.accepted.flatMap((name) => {
    const { refused } = approveBy(proposal, name, { agreement, context });
    const waits = refused === undefined || REFUSALS[refused.code].waitsForExecutor;
    return waits ? [] : [{ by: name, code: refused.code }];
  });
  const payload: NoticePayload = {
    notice: 'agreed',
    session,
    mode,
    policy,
    commitment,
    commitmentHash,
    by,
    positive,
    reason,
    accepted: agreement.accepted,
    rejected: agreement.rejected,
    ...(notCounted.length === 0 ? {} : { notCounted }),
  };
  const facts = { proposal: proposal.id, agreement };
  return { type: 'agreed', ...found(proposal, context.now, payload), facts };
}

/** The session does not let the call run. */
function declinedBySession(
  proposal: Proposal,
  now: number,
  { agreement, why: reason }: { readonly agreement: SessionAgreement; readonly why: string },
): Declined {
  const { session, committedBy: by, rejected: rejectedBy } = agreement;
  const why = { why: 'session', session, by, reason };
  const payload: NoticePayload = { notice: 'declined', final: true, ...why, rejectedBy, unansweredBy: [] };
  const facts = { proposal: proposal.id, final: true, why: 'session' };
  return { type: 'declined', ...found(proposal, now, payload), facts };
}

function describeMisfit(entry: ReviewEntry | undefined, { mode, policy }: SessionAgreement): string {
  const session = `A session in ${mode} under ${quote(policy)}`;
  if (entry?.by === undefined) return `${session} decides nothing here: people approve this call.`;
  const { modes, policies } = entry.by;
  const which = policies.length === 0 ? '' : ` under ${policies.map(quote).join(' or ')}`;
  return `${session} does not count under the policy ${quote(entry.name)}; one in ${modes.join(' or ')}${which} does.`;
}

function describeLate({ at }: SessionAgreement): string {
  return `The commitment is of ${new Date(at).toISOString()}, more than a day ago.`;
}
