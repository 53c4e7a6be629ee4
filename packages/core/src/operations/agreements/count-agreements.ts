import { authorize } from '../../capability/authorize.js';
import type { Decision } from '../../decision.js';
import { type Envelope, PROTOCOL } from '../../envelope/envelope.js';
import { sha256 } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { REFUSALS } from '../../refusal/codes.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ParticipantRights, ProposalContext } from '../context.js';
import { refuseKicked } from '../membership/kick.js';
import { refuseWhilePaused } from '../pause/pause-participant.js';
import { derivedRequest } from '../proposal/derived-request.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import { requestFor } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { reviewOf } from '../review/approvers.js';
import { countApproval } from '../review/count-approval.js';
import { seesProposal } from '../routing/visibility.js';
import { countsFor, type SessionAgreement } from './agreement.js';
import { uncountedIn } from './evolve-agreements.js';

/**
 * Counts what was accepted in committed sessions as approvals (O-53), by the rules that every approval follows, and all of
 * a session together: they wait while approvals are paused, or nobody is there to run the call.
 */
export function countAgreements(proposal: Proposal, context: ProposalContext): readonly ProposalRecord[] {
  for (const agreement of uncountedIn(proposal)) {
    const records = countAgreement(proposal, agreement, context);
    if (records.length > 0) return records;
  }
  return NOTHING;
}

const NOTHING: readonly never[] = [];

function countAgreement(
  proposal: Proposal,
  agreement: SessionAgreement,
  context: ProposalContext,
): readonly ProposalRecord[] {
  const entry = reviewOf(proposal, context.settings);
  if (entry === undefined || !countsFor(entry, agreement) || context.space.pause?.isPaused === true)
    return NOTHING;
  const records: ProposalRecord[] = [];
  let current = proposal;
  for (const name of agreement.accepted) {
    if (current.phase !== 'pending') break;
    const { records: approved = NOTHING, refused } = approveBy(current, name, { agreement, context });
    if (refused !== undefined && REFUSALS[refused.code].waitsForExecutor) return NOTHING;
    records.push(...approved);
    current = approved.reduce<Proposal>(evolveProposal, current);
  }
  return records;
}

interface Session {
  readonly agreement: SessionAgreement;
  readonly context: ProposalContext;
}

/** The approval of one who accepted the call in a session, by what it may do now; or why it does not count. */
export function approveBy(
  proposal: Proposal,
  name: string,
  { agreement, context }: Session,
): Decision<ProposalRecord> {
  const found = rightsIn(proposal, name, context);
  if (found.refused !== undefined) return found;
  const { rights: sender } = found;
  const rejection = proposal.rejections.get(name);
  if (rejection !== undefined && rejection.at > agreement.at) {
    const sentence = `${quote(name)} has rejected ${quote(proposal.id)} since.`;
    return { refused: refuse('vetoed', sentence, { proposal: proposal.id, by: name }) };
  }
  const to = proposal.executor === undefined ? NOTHING : [proposal.executor];
  const { digest } = proposal;
  const payload = { digest, session: agreement.session };
  const envelope = messageOf(proposal, name, { kind: 'mcpx.approve.proposal', payload, agreement });
  const violation =
    authorize(sender.capabilities, { ...requestFor(proposal, name), to }) ??
    refuseWhilePaused(context.space, envelope, context.now);
  if (violation !== undefined) return { refused: violation };
  const request = derivedRequest(proposal, proposal.params, { ...envelope, to });
  return countApproval(proposal, { envelope, request }, { ...context, sender, grant: undefined, agreement });
}

/** What a participant of a session may do in the space now; refused for one that is not in it, or does not see the proposal. */
export function rightsIn(
  proposal: Proposal | undefined,
  name: string,
  { rightsOf, space, settings }: ProposalContext,
):
  | { readonly rights: ParticipantRights; readonly refused?: never }
  | { readonly refused: Refusal; readonly rights?: never } {
  const kicked = refuseKicked(space, name);
  if (kicked !== undefined) return { refused: kicked };
  const rights = rightsOf?.(name);
  const { isObserver = false, roles } = rights ?? {};
  const sees =
    proposal === undefined || seesProposal(proposal, { name, observer: isObserver, roles }, settings);
  if (rights !== undefined && sees) return { rights };
  const sentence = `${quote(name)} is not known in the space ${quote(settings.name)}, or does not see the call.`;
  return { refused: refuse('forbidden_space', sentence, { space: settings.name, participant: name }) };
}

/** The message that a participant's part in a session amounts to. Nobody else can use its id. */
export function messageOf(
  { id }: Pick<Proposal, 'id'>,
  from: string,
  {
    kind,
    payload,
    agreement: { session, at },
  }: { readonly kind: string; readonly payload: JsonObject; readonly agreement: SessionAgreement },
): Envelope {
  const unique = sha256(JSON.stringify(['agreement', id, session, from])).slice(0, 32);
  const ts = new Date(at).toISOString();
  return { protocol: PROTOCOL, id: `system:${unique}`, ts, from, kind, correlationId: id, payload };
}
