import type { Envelope } from '../../envelope/envelope.js';
import type { ServedList } from '../../envelope/kind.js';
import type { SpaceCommand } from '../../envelope/kind-table.js';
import type { Refusal } from '../../refusal/refusal.js';
import type { AgreedOutcome } from '../agreements/agreement.js';
import { decideAgreed, proposalAgreedOn } from '../agreements/decide-agreed.js';
import type { DecisionContext, ProposalContext } from '../context.js';
import { delegateAll } from '../delegation/decide-delegate.js';
import { decideGrant } from '../grants/decide-grant.js';
import { decideRevoke } from '../grants/decide-revoke.js';
import { countGranted, decideByGrant } from '../grants/use.js';
import { decideAllowKey, decideRegisterKey, decideRevokeKey } from '../keys/decide-keys.js';
import { decideInvite } from '../membership/decide-invite.js';
import { decideKick, isKicked, NO_RIGHTS, refuseKicked } from '../membership/kick.js';
import { decidePause, decideResume, refusePaused } from '../pause/pause.js';
import { decidePauseOf, decideResumeOf, refuseWhilePaused } from '../pause/pause-participant.js';
import { canApprove, PROPOSAL_COMMANDS } from '../proposal/commands.js';
import { decideProposal } from '../proposal/decide-proposal.js';
import { refuseTakenId } from '../proposal/decide-propose.js';
import { fingerprint } from '../proposal/fingerprint.js';
import {
  type ParticipantRecord,
  type ProposalRecord,
  participantStream,
  proposalStream,
} from '../records.js';
import { countAlone } from '../review/agents.js';
import { checkUnproposedRequest } from '../review/unproposed-request.js';
import { confirmExecutor } from '../routing/executor.js';
import { answeredList } from '../routing/listing.js';
import { type MessageCommand, type MessageRoute, routeMessage, type Sees } from '../routing/route.js';
import { seesProposal } from '../routing/visibility.js';
import { type BatchReference, decideBatch, inBatch } from './decide-batch.js';
import { recallId } from './recent-ids.js';
import { refuseAboutRemoved } from './retention.js';
import { proposalFulfilledBy, type SpaceState } from './space.js';
import type { SpaceDecision, StreamAppend } from './space-decision.js';

/** Decides a message of a space. The record goes to the stream of the participant it is about. */
type DecideInSpace = (
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
) =>
  | { readonly record: ParticipantRecord; readonly refused?: never }
  | { readonly refused: Refusal; readonly record?: never };

/** Every command that is about a space or one of its participants, and not about one proposal. */
const SPACE_COMMANDS: Readonly<Record<SpaceCommand, DecideInSpace>> = {
  delegate_all: delegateAll,
  grant: decideGrant,
  revoke: (space, envelope, context) =>
    decideRevoke(space, envelope, context) ?? { record: say(space, envelope, context) },
  pause: decidePause,
  resume: decideResume,
  pause_participant: (space, envelope, context) =>
    decidePauseOf(space, envelope, context) ?? { record: say(space, envelope, context) },
  resume_participant: (space, envelope, context) =>
    decideResumeOf(space, envelope, context) ?? { record: say(space, envelope, context) },
  invite: decideInvite,
  kick: decideKick,
  allow_key: decideAllowKey,
  register_key: decideRegisterKey,
  revoke_key: decideRevokeKey,
};

/**
 * Decides an authenticated, authorised message in a space. Pure: on a version conflict, fold what the other writer
 * appended and decide again.
 */
export function decideInSpace(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): SpaceDecision {
  const { grant } = context;
  const decision = decideAllowed(space, envelope, context);
  return grant === undefined ? decision : decideByGrant(space, envelope, { ...context, grant }, decision);
}

function decideAllowed(space: SpaceState, envelope: Envelope, context: DecisionContext): SpaceDecision {
  const gone = refuseKicked(space, envelope.from) ?? refuseAboutRemoved(envelope, context.isRemoved ?? none);
  if (gone !== undefined) return { refused: gone };
  const paused = refuseWhilePaused(space, envelope, context.now);
  if (paused !== undefined) return decideRepeated(space, envelope, context) ?? { refused: paused };
  const route = routeMessage(space, envelope, seenFrom(space, envelope, context));
  if (route.entity === 'none') return { refused: route.refused };
  if (route.entity !== 'proposal') return decideOnce(space, envelope, context, route);
  // An answer may also name other messages; any other message that names several proposals is split into one per
  // proposal.
  const { command, proposals } = route;
  if (command === 'answer' || proposals.length < 2) return decideOnce(space, envelope, context, route);
  // An interrupted batch is sent again unchanged; its parts show which of them are done.
  const repeated = decideRepeated(space, envelope, context);
  if (repeated?.refused !== undefined) return repeated;
  return decideBatch(envelope, proposals, (part, batch) => {
    const one = { entity: 'proposal', command, proposals: [part.correlationId] } as const;
    return decideOnce(space, part, context, one, batch);
  });
}

/** Finds out what the passing of time, or someone joining or leaving, means for one proposal. */
export function reviewInSpace(space: SpaceState, id: string, context: DecisionContext): SpaceDecision {
  const proposal = space.proposals.get(id);
  const decision = decideProposal(proposal, { type: 'review' }, contextOf(space, context));
  const records = decision.records ?? [];
  if (proposal === undefined || records.length === 0) return { appends: [] };
  return {
    appends: [
      { stream: proposalStream(space.settings.name, id), expectedVersion: proposal.version, records },
    ],
  };
}

/** Decides what a committed session means for a proposal (O-53), once, whatever happens to it later. */
export function agreeInSpace(
  space: SpaceState,
  outcome: AgreedOutcome,
  context: DecisionContext,
): SpaceDecision {
  const id = proposalAgreedOn(outcome);
  if (context.isRemoved?.(id) === true) return { unchanged: 'late' };
  const proposal = space.proposals.get(id);
  const { records, refused, due = [] } = decideAgreed(proposal, outcome, contextOf(space, context));
  if (refused !== undefined) return { refused };
  const stream = proposalStream(space.settings.name, id);
  const append = { stream, expectedVersion: proposal?.version ?? 0, records: records ?? due };
  const counted = countBefore(space, append.records, 'approve');
  if (append.records.length === 0) return { unchanged: 'duplicate' };
  return counted === undefined ? { appends: [append] } : { appends: [counted, append], inOrder: true };
}

function decideOnce(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
  route: Exclude<MessageRoute, { entity: 'none' }>,
  batch?: BatchReference,
): SpaceDecision {
  const repeated = decideRepeated(space, envelope, context);
  if (repeated !== undefined) return repeated;
  if (route.entity === 'participant') {
    const refused = checkUnproposedRequest(space.settings, envelope, context);
    return refused === undefined
      ? { appends: [appendTo(space, say(space, envelope, context, route.announces))] }
      : { refused };
  }
  if (route.entity === 'space') {
    const { record, refused } = SPACE_COMMANDS[route.command](space, envelope, context);
    return record === undefined ? { refused } : { appends: [appendTo(space, record)] };
  }
  const paused = canApprove(route.command, envelope) ? refusePaused(space) : undefined;
  if (paused !== undefined) return { refused: paused };
  const id = route.proposals[0] ?? '';
  const known = space.proposals.get(id);
  // A message about a finished proposal is late (O-16), even if that was long ago. With restricted visibility it is
  // unknown to everyone (O-43): the list of who could see it was removed with it.
  const isPublic = space.settings.visibility === 'all';
  if (known === undefined && isPublic && context.isRemoved?.(id) === true) return { unchanged: 'late' };
  const isAbout = route.command !== 'propose' && route.command !== 'answer';
  const isHidden = known !== undefined && isAbout && !seenFrom(space, envelope, context)(known);
  const proposal = isHidden ? undefined : known;
  const decision = decideProposal(
    proposal,
    { type: route.command, envelope },
    contextOf(space, context, seenFrom(space, envelope, context)),
  );
  const stream = proposalStream(space.settings.name, id);
  const expectedVersion = proposal?.version ?? 0;
  if (decision.records === undefined) {
    const { due, ...answer } = decision;
    return due === undefined
      ? answer
      : { ...answer, dueAppends: [{ stream, expectedVersion, records: due }] };
  }
  const { grant } = context;
  const decided =
    grant === undefined ? decision.records : decision.records.map((each) => byGrant(each, grant));
  const records = batch === undefined ? decided : decided.map((record) => inBatch(record, batch));
  const append = { stream, expectedVersion, records };
  const counted = countBefore(space, records, route.command);
  return counted === undefined ? { appends: [append] } : { appends: [counted, append], inOrder: true };
}

/** The record of a message allowed by a grant says so (I-4). */
function byGrant(record: ProposalRecord, grant: string): ProposalRecord {
  if (!('fingerprint' in record.facts)) return record;
  return { ...record, facts: { ...record.facts, grant } } as ProposalRecord;
}

/** The same id again (O-3): a duplicate has no effect, anything else is a conflict. */
function decideRepeated(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): SpaceDecision | undefined {
  const { now, isRemoved = none } = context;
  const seen = recallId(space.recent, envelope.id, now, space.settings.dedupWindow);
  if (seen !== undefined) {
    const same = seen.from === envelope.from && seen.fingerprint === fingerprint(envelope);
    return same ? { unchanged: 'duplicate', originals: [seen] } : { refused: refuseTakenId(envelope.id) };
  }
  // A proposal's id is taken for ever; its own decision recognises a repeated proposal. The same goes for a
  // fulfilment, a counter-offer or a grant as long as a message may refer to it.
  const proposal = envelope.kind.startsWith('mcp.proposal.') ? undefined : space.proposals.get(envelope.id);
  const taken = proposal !== undefined && seenFrom(space, envelope, context)(proposal);
  return taken ||
    proposalFulfilledBy(space, envelope.id) !== undefined ||
    (space.counters.size > 0 && space.counters.has(envelope.id)) ||
    (space.grants.size > 0 && space.grants.has(envelope.id)) ||
    isRemoved(envelope.id)
    ? { refused: refuseTakenId(envelope.id) }
    : undefined;
}

const none = () => false;

/** Whether the sender of a message may see a proposal (O-43). */
function seenFrom({ settings }: SpaceState, { from: name }: Envelope, { sender }: DecisionContext): Sees {
  if (settings.visibility === 'all') return everything;
  const viewer = { name, observer: sender?.isObserver === true, roles: sender?.roles };
  return (proposal) => seesProposal(proposal, viewer, settings);
}

const everything = () => true;

function say(
  space: SpaceState,
  envelope: Envelope,
  { now, grant }: DecisionContext,
  list?: ServedList,
): ParticipantRecord {
  const { from: participant } = envelope;
  const mark = fingerprint(envelope);
  const said = { time: now, principal: participant, envelope } as const;
  if (list !== undefined)
    return { type: 'announced', ...said, facts: { participant, list, fingerprint: mark } };
  const lists = answeredList(space, envelope, now);
  // Without copies in the common case.
  if (lists === undefined && grant === undefined) {
    const facts = { participant, fingerprint: mark };
    return { type: 'said', time: now, principal: participant, envelope, facts };
  }
  return {
    type: 'said',
    ...said,
    facts: {
      participant,
      fingerprint: mark,
      ...(lists === undefined ? {} : { lists }),
      ...(grant === undefined ? {} : { grant }),
    },
  };
}

function appendTo({ settings, participants }: SpaceState, record: ParticipantRecord): StreamAppend {
  const { participant } = record.facts;
  return {
    stream: participantStream(settings.name, participant),
    expectedVersion: participants.get(participant)?.version ?? 0,
    records: [record],
  };
}

/**
 * What to record before these records are appended: a use, of a call that an agent approves alone or one that runs by
 * a grant, or that somebody new may run a tool.
 */
function countBefore(
  space: SpaceState,
  records: readonly ProposalRecord[],
  command: MessageCommand,
): StreamAppend | undefined {
  if (command === 'propose') return countGranted(space, records);
  return PROPOSAL_COMMANDS[command].approves
    ? (countAlone(space, records) ?? confirmExecutor(space, records))
    : undefined;
}

/**
 * The context of a decision about a space's proposal. Field by field, as it is created for every
 * message.
 */
function contextOf(space: SpaceState, context: DecisionContext, sees?: Sees): ProposalContext {
  const { isPresent, isConnected = isPresent } = context;
  return {
    space,
    settings: space.settings,
    seesProposal: sees,
    now: context.now,
    isPresent,
    isConnected,
    present: context.present,
    rightsOf: (name) => (isKicked(space, name) ? NO_RIGHTS : context.rightsOf?.(name)),
    isRemoved: context.isRemoved,
    durableOf: context.durableOf,
    checkArguments: context.checkArguments,
    checkAssertion: context.checkAssertion,
    sender: context.sender,
    grant: context.grant,
    hash: context.hash,
  };
}
