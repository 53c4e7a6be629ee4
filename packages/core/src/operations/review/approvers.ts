import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { demandsSignature } from '../keys/check-signed.js';
import type { Proposal } from '../proposal/proposal.js';
import { rejectsProposal } from '../proposal/rejection.js';
import type { AskedReview, Rejected } from '../records.js';
import type { SpaceSettings } from '../settings.js';
import { entryFor, isClosed, isNamed, type ReviewEntry } from './policy.js';

/** The entry for a proposal with these params; by default the proposed ones. */
export function reviewOf(
  proposal: Proposal,
  { review }: Pick<SpaceSettings, 'review'>,
  params: JsonObject | undefined = proposal.params,
): ReviewEntry | undefined {
  if (review === undefined) return undefined;
  const proposer = { name: proposal.proposer, roles: proposal.requester?.roles };
  return entryFor(review, { method: proposal.method, params, proposer });
}

/**
 * The refusal of a decision by a bearer link if more than one approval is needed: such a link identifies no one. Nor can
 * it sign an approval; a rejection needs no signature (O-49).
 */
export function checkBearer(
  proposal: Proposal,
  settings: Pick<SpaceSettings, 'review' | 'signed'>,
  decision: 'approve' | 'reject',
): Refusal<'sign_in_required'> | undefined {
  const entry = reviewOf(proposal, settings);
  if (decision === 'approve' && demandsSignature(entry, settings)) {
    const sentence = `An approval of ${quote(proposal.id)} has to be signed, which a link cannot do.`;
    return refuse('sign_in_required', sentence, { proposal: proposal.id });
  }
  if (entry === undefined || entry.approvals < 2) return undefined;
  const sentence = `${quote(proposal.id)} needs ${entry.approvals} approvals, and an approval through a link does not count towards them.`;
  return refuse('sign_in_required', sentence, { proposal: proposal.id, approvals: entry.approvals });
}

/** What an entry requires, as it is recorded and shown (O-28, O-49). */
export function askedBy(
  { name: entry, approvals: needed, from, by, signed }: ReviewEntry,
  settings: Pick<SpaceSettings, 'signed'>,
): AskedReview {
  const isSigned = demandsSignature({ signed }, settings);
  return {
    entry,
    needed,
    from,
    ...(by === undefined ? {} : { by: by.modes }),
    ...(isSigned ? { signed: true } : {}),
  };
}

/**
 * Whose approval counts under an entry (O-28): those it names, and those the proposal was escalated
 * to (O-33). The call was escalated as proposed, so that adds nobody to an entry that only applies to
 * amended params. As with `from`, an empty list means everyone.
 */
export function approversOf(
  proposal: Proposal,
  entry: ReviewEntry,
  settings: Pick<SpaceSettings, 'review'>,
): readonly string[] {
  const { from } = entry;
  const { escalatedTo } = proposal;
  if (from.length === 0 || escalatedTo.length === 0 || reviewOf(proposal, settings) !== entry) return from;
  return [...new Set([...from, ...escalatedTo])];
}

/**
 * Someone who rejected, could veto under this entry, and is not among those who approve what would
 * run. A veto under the entry of the call as proposed ended the proposal when it was given, so this
 * matters for amended params, which may fall under a stricter entry (O-31).
 */
export function vetoBy(
  proposal: Proposal,
  entry: ReviewEntry,
  { settings, approved }: { readonly settings: SpaceSettings; readonly approved: readonly string[] },
): string | undefined {
  if (!entry.veto) return undefined;
  const isAsProposed = reviewOf(proposal, settings) === entry;
  for (const [name, rejection] of proposal.rejections) {
    const { onBehalfOf: part } = rejection;
    const voter =
      part === undefined ? { name, roles: rejection.roles } : { name: part.by, roles: part.roles };
    const counts = isNamed(entry.from, voter);
    const couldVeto = counts && (rejection.couldApprove === true || (!isAsProposed && entry.from.length > 0));
    if (couldVeto && rejectsProposal(rejection) && !approved.includes(rejection.subject ?? name)) return name;
  }
  return undefined;
}

/** A participant by name, and the person behind it. */
export interface Somebody {
  readonly by: string;
  readonly subject?: string | undefined;
}

/** Whether someone is the person the proposer works for, as far as the operator says so (O-30). */
export function isRequester({ requester }: Proposal, { by, subject }: Somebody): boolean {
  const { worksFor } = requester ?? {};
  return worksFor !== undefined && (worksFor === by || worksFor === subject);
}

/** The refusal of an approval by the person the proposer works for, if the entry excludes it (O-30). */
export function checkRequester(
  proposal: Proposal,
  { notRequester, name: entry }: ReviewEntry,
  somebody: Somebody,
): Refusal | undefined {
  if (notRequester !== true || !isRequester(proposal, somebody)) return undefined;
  const { id, proposer } = proposal;
  const sentence = `${quote(proposer)}, which proposed ${quote(id)}, works for ${quote(somebody.by)}.`;
  return refuse('requester_excluded', sentence, { proposal: id, entry });
}

/** Why a rejection ends a proposal under a policy (O-31). */
export type RejectionEnding = { readonly why: 'veto' | 'impossible'; readonly entry: string };

/**
 * Whether a rejection ends a proposal: by a veto, or because too few are left who could approve it.
 * Only a rejection by someone whose approval would count matters. Without a policy it is only a
 * remark.
 *
 * @param proposal - before the rejection
 */
export function endingBy(
  proposal: Proposal,
  { principal, facts, envelope }: Rejected,
  settings: Pick<SpaceSettings, 'review'>,
): RejectionEnding | undefined {
  const { reason } = envelope.payload;
  if (facts.couldApprove !== true || typeof reason !== 'string' || !rejectsProposal({ reason }))
    return undefined;
  const entry = reviewOf(proposal, settings);
  if (entry === undefined) return undefined;
  if (entry.veto) return { why: 'veto', entry: entry.name };
  const mayGrow = entry.escalate.some(({ to }) => to.length > 0);
  if (!isClosed(entry.from) || mayGrow) return undefined;
  const left = entry.from.filter((name) => {
    if (name === principal || name === proposal.proposer) return false;
    const rejection = proposal.rejections.get(name);
    // A rejection withdraws an earlier approval: someone with an approval has changed their mind since.
    const hasApproved = proposal.approvals.some(({ by }) => by === name);
    return hasApproved || rejection === undefined || !rejectsProposal(rejection);
  });
  return left.length < entry.approvals ? { why: 'impossible', entry: entry.name } : undefined;
}
