import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { definitionOf } from '../participant.js';
import type { Approval, Proposal } from '../proposal/proposal.js';
import type { Fulfilled } from '../records.js';
import type { Approving } from '../review/count-approval.js';
import type { ReviewEntry } from '../review/policy.js';
import { definitionDigest } from '../review/shown-version.js';
import type { SpaceSettings } from '../settings.js';
import type { SpaceState } from '../space/space.js';
import { checkAssertion, readAssertion, type SignatureFacts } from './check-assertion.js';
import { decisionDigest, type SignedDecision } from './signed-decision.js';

/** Whether an approval under this entry has to be signed (O-49): the entry or the space demands it. */
export function demandsSignature(
  entry: { readonly signed?: boolean | undefined } | undefined,
  { signed }: Pick<SpaceSettings, 'signed'>,
): boolean {
  return signed === true || entry?.signed === true;
}

/**
 * What the record says about the signature of an approval, if it has one, or why it does not count (O-49). One that is
 * not demanded is checked all the same. A counter-offer is accepted by the proposer, whose signature is no approval.
 */
export function checkSigned(
  { id, subject, signatures }: Proposal,
  { envelope, request }: Approving,
  { facts }: Fulfilled,
  { entry, context }: { readonly entry: ReviewEntry | undefined; readonly context: ProposalContext },
): { readonly signed?: SignatureFacts } | { readonly refused: Refusal } {
  const { space, settings } = context;
  const { from: by } = request;
  const isOwn = envelope.from === by;
  const assertion = isOwn ? readAssertion(envelope.payload['signature']) : undefined;
  const isDemanded = demandsSignature(entry, settings);
  if (assertion === undefined && !isDemanded) return UNSIGNED;
  const { executor } = facts;
  const definition = announcedBy(executor, subject, space);
  const decision: SignedDecision = {
    space: settings.name,
    proposal: id,
    verdict: 'approve',
    by,
    call: facts.ranDigest,
    runBy: executor === undefined ? (request.to ?? []) : [executor],
    definition: definition ?? null,
  };
  if (assertion === undefined) return { refused: refuseUnsigned(decision, isOwn, entry) };
  const digest = decisionDigest(decision, context.hash);
  const asserted = { assertion, digest, earlier: signatures };
  const refused = checkAssertion(space, envelope, asserted, context);
  if (refused !== undefined) return { refused };
  const { key, at } = assertion;
  return { signed: { key, at, ...(definition === undefined ? {} : { definition }) } };
}

const UNSIGNED = {};

/** Whether an approval is signed, for the tool as its executor announces it now: its signature covers no other (O-49). */
export function isSignedNow(
  { executor, signed }: Pick<Approval, 'executor' | 'signed'>,
  subject: Proposal['subject'],
  space: Pick<SpaceState, 'participants'>,
): boolean {
  return signed !== undefined && signed.definition === announcedBy(executor, subject, space);
}

/** The digest of what an executor announces about a tool; `undefined` if nothing, or if nobody in particular runs it. */
function announcedBy(
  executor: string | undefined,
  subject: Proposal['subject'],
  { participants }: Pick<SpaceState, 'participants'>,
): string | undefined {
  if (executor === undefined || subject === undefined) return undefined;
  return definitionDigest(definitionOf(participants.get(executor), subject));
}

/** Says what to sign: whoever was shown the call compares that with what they saw. */
function refuseUnsigned(
  decision: SignedDecision,
  isOwn: boolean,
  entry: ReviewEntry | undefined,
): Refusal<'signature_required'> {
  const { proposal, by } = decision;
  const who = isOwn ? '' : ` by ${quote(by)}, who made the counter-offer`;
  const sentence = `An approval of ${quote(proposal)} has to be signed${who}.`;
  return refuse('signature_required', sentence, {
    proposal,
    ...(entry === undefined ? {} : { entry: entry.name }),
    ...(isOwn ? { decision } : {}),
  });
}
