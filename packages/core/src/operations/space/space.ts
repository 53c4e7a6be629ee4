import { VersionedMap } from '../../collections/versioned-map.js';
import { type Delegation, isInForce } from '../delegation/delegation.js';
import { evolveParticipant, type ParticipantState } from '../participant.js';
import { isSpaceWide } from '../participant-records.js';
import { type Pause, pauseAfter } from '../pause/pause.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import { isOpen, isOver, type Proposal } from '../proposal/proposal.js';
import { isProposalRecord, type OperationRecord, type ParticipantRecord } from '../records.js';
import type { SpaceSettings } from '../settings.js';
import {
  advance,
  emptyGenerations,
  forget,
  type Generations,
  isRemembered,
  recall,
  remember as rememberFor,
} from './generations.js';
import {
  ANYBODY,
  awaitedBy,
  dependenciesOf,
  type Links,
  linkCounters,
  linkFulfilment,
  linkGrants,
  NOBODY,
  relink,
  relinkDelegate,
} from './links.js';
import { type RecentIds, rememberId, rememberMissing, seenIds, type TakenId } from './recent-ids.js';
import { evolveServers, type Servers } from './servers.js';

/**
 * Everything needed to decide in a space: a fold over its records and nothing else (O-22). The
 * indexes keep the cost of a message independent of how many proposals and participants there are.
 */
export interface SpaceState {
  readonly settings: SpaceSettings;
  readonly proposals: VersionedMap<Proposal>;
  readonly participants: VersionedMap<ParticipantState>;
  /** Maps the envelope id of a fulfilment to its proposal: answers refer to the fulfilment. */
  readonly fulfilments: VersionedMap<string>;
  /** Fulfilments of finished proposals no longer in memory: late answers must find them (O-16). */
  readonly pastFulfilments: Generations<string>;
  /** Maps a counter-offer to its proposal (O-40). */
  readonly counters: VersionedMap<string>;
  /** Maps a grant to its holder (O-41). */
  readonly grants: VersionedMap<string>;
  /** The participants who announced what they serve. */
  readonly servers: Servers;
  /** The participants who only listed it when asked. */
  readonly listers: Servers;
  /** The number of pending proposals per proposer. */
  readonly pending: VersionedMap<number>;
  /** Maps a participant to the proposals that depend on its presence. */
  readonly dependents: Links;
  /** Maps a proposal to those that wait for its end (O-37). */
  readonly waiting: Links;
  /** Maps a delegate to those who delegated all reviews to it (O-34), sorted by name. */
  readonly delegators: VersionedMap<readonly string[]>;
  /** The last change to whether anything can be approved here. */
  readonly pause: Pause | undefined;
  readonly recent: RecentIds;
}

/** A space in which nothing has happened. */
export function emptySpace(settings: SpaceSettings): SpaceState {
  return {
    settings,
    proposals: VersionedMap.empty(),
    participants: VersionedMap.empty(),
    fulfilments: VersionedMap.empty(),
    pastFulfilments: emptyGenerations(),
    counters: VersionedMap.empty(),
    grants: VersionedMap.empty(),
    servers: VersionedMap.empty(),
    listers: VersionedMap.empty(),
    pending: VersionedMap.empty(),
    dependents: VersionedMap.empty(),
    waiting: VersionedMap.empty(),
    delegators: VersionedMap.empty(),
    pause: undefined,
    recent: emptyGenerations(),
  };
}

/** Folds one record of any stream of the space. */
export function evolveSpace(space: SpaceState, record: OperationRecord): SpaceState {
  if (!isProposalRecord(record)) return evolveWithParticipant(space, record);
  const before = space.proposals.get(record.facts.proposal);
  const proposal = evolveProposal(before, record);
  return withProposal(space, proposal, before, remember(space, record, proposal.version));
}

/**
 * The space after a record about a finished proposal that is not in memory: the message is recognised
 * when it is repeated (O-3).
 */
export function rememberIn(space: SpaceState, record: OperationRecord, version: number): SpaceState {
  const recent = remember(space, record, version);
  const { dedupWindow } = space.settings;
  return { ...space, recent, pastFulfilments: advance(space.pastFulfilments, recent.since, dedupWindow) };
}

/**
 * Evicts a finished proposal from memory; it is folded again from its stream when a message names it
 * ({@link recallProposal}). An open one stays: decisions depend on it. Its fulfilment is remembered
 * for the dedup window after its end. The timing makes no difference to the result, so replay may do
 * it at other times than a host does (I-3).
 */
export function evictProposal(space: SpaceState, id: string): SpaceState {
  const proposal = space.proposals.get(id);
  // Proposals that others wait for stay: those depend on the result (O-37).
  if (proposal === undefined || !isOver(proposal) || space.waiting.has(id)) return space;
  const { recent, pastFulfilments: past, fulfilments } = space;
  const { dedupWindow: window } = space.settings;
  // Messages that answer a counter-offer find the proposal by it (O-40).
  if (proposal.counters.length > 0 && isRemembered(recent, proposal.changedAt, window)) return space;
  const request = proposal.fulfilment?.request ?? '';
  const isLinked = fulfilments.get(request) === id;
  const time = endOf(proposal);
  // Field by field: a copy would have a different shape for the engine, and slow down later reads of
  // the state.
  return {
    settings: space.settings,
    proposals: space.proposals.delete(id),
    participants: space.participants,
    fulfilments: isLinked ? fulfilments.delete(request) : fulfilments,
    pastFulfilments:
      isLinked && isRemembered(recent, time, window)
        ? rememberFor(past, [request, id], { time, window })
        : past,
    counters: proposal.counters.reduce((rest, counter) => rest.delete(counter.id), space.counters),
    grants: space.grants,
    servers: space.servers,
    listers: space.listers,
    pending: space.pending,
    dependents: relink(space.dependents, id, { from: awaitedBy(proposal), to: NOBODY }),
    waiting: space.waiting,
    delegators: space.delegators,
    pause: space.pause,
    recent,
  };
}

/**
 * When it ended. A notification ends when it is sent: whether somebody answers it all the same makes
 * no difference.
 */
function endOf({ fulfilment, changedAt }: Proposal): number {
  return fulfilment !== undefined && fulfilment.answerBy === undefined ? fulfilment.at : changedAt;
}

/**
 * Loads a proposal into memory from its stream, replacing what was known about it.
 *
 * @param said - what identifies the messages of its stream when they are repeated (O-3): another
 * gateway may have accepted them, and the feed may not have delivered them yet
 */
export function recallProposal(
  space: SpaceState,
  proposal: Proposal,
  said: readonly TakenId[] = [],
): SpaceState {
  const recent = rememberMissing(space.recent, said, space.settings.dedupWindow);
  const recalled = withProposal(space, proposal, space.proposals.get(proposal.id), recent);
  const request = proposal.fulfilment?.request ?? '';
  if (recall(recalled.pastFulfilments, request) !== proposal.id) return recalled;
  return { ...recalled, pastFulfilments: forget(recalled.pastFulfilments, request) };
}

/** The proposal that a message fulfilled, even if it is no longer in memory. */
export function proposalFulfilledBy(space: SpaceState, request: string): string | undefined {
  return space.fulfilments.get(request) ?? recall(space.pastFulfilments, request);
}

/** The delegations of all reviews to a participant, in force or not (O-34). */
export function delegationsTo({ delegators, participants }: SpaceState, to: string): readonly Delegation[] {
  const names = delegators.get(to) ?? NOBODY;
  return names.flatMap((name) => participants.get(name)?.delegation ?? []);
}

/** All delegations of all reviews now in force, sorted by end time (O-34). */
export function delegationsInForce(space: SpaceState, now: number): readonly Delegation[] {
  return [...space.delegators.keys()]
    .flatMap((to) => delegationsTo(space, to))
    .filter((delegation) => isInForce(delegation, now))
    .sort((one, other) => one.until - other.until);
}

/** The proposals to check when this participant joins or leaves. */
export function proposalsDependingOn({ dependents }: SpaceState, participant: string): Iterable<string> {
  const own = dependents.get(participant)?.keys() ?? NOBODY;
  const agreed = dependents.get(ANYBODY)?.keys();
  return agreed === undefined ? own : [...agreed, ...own];
}

/** The proposals to check when this one ends: they wait for it (O-37). */
export function proposalsWaitingFor(space: SpaceState, proposal: string): Iterable<string> {
  return space.waiting.get(proposal)?.keys() ?? [];
}

function withProposal(
  space: SpaceState,
  proposal: Proposal,
  before: Proposal | undefined,
  recent = space.recent,
): SpaceState {
  const { settings, participants, grants, servers, listers, dependents, waiting, delegators, pause } = space;
  const proposals = space.proposals.set(proposal.id, proposal);
  const pending = countPending(space.pending, proposal, before);
  const from = before === undefined ? NOBODY : awaitedBy(before);
  const to = awaitedBy(proposal);
  return {
    settings,
    proposals,
    participants,
    fulfilments: linkFulfilment(space.fulfilments, proposal, before),
    pastFulfilments: advance(space.pastFulfilments, recent.since, settings.dedupWindow),
    counters: linkCounters(space.counters, proposal, before),
    grants,
    servers,
    listers,
    pending,
    dependents: from === to ? dependents : relink(dependents, proposal.id, { from, to }),
    waiting: proposal.dependencies === undefined ? waiting : relinkDependencies(waiting, proposal, before),
    delegators,
    pause,
    recent,
  };
}

function relinkDependencies(waiting: Links, proposal: Proposal, before: Proposal | undefined): Links {
  const from = before === undefined ? NOBODY : dependenciesOf(before);
  return relink(waiting, proposal.id, { from, to: dependenciesOf(proposal) });
}

function countPending(
  pending: SpaceState['pending'],
  { proposer, phase }: Proposal,
  before: Proposal | undefined,
): SpaceState['pending'] {
  const change = Number(isOpen({ phase })) - Number(before !== undefined && isOpen(before));
  if (change === 0) return pending;
  const count = (pending.get(proposer) ?? 0) + change;
  return count === 0 ? pending.delete(proposer) : pending.set(proposer, count);
}

function evolveWithParticipant(space: SpaceState, record: ParticipantRecord): SpaceState {
  const before = space.participants.get(record.facts.participant);
  const participant = evolveParticipant(before, record);
  const participants = space.participants.set(participant.name, participant);
  const recent = remember(space, record, participant.version);
  const { settings, proposals, fulfilments, counters, pending, dependents, waiting } = space;
  const { servers, listers } = evolveServers(space, record, before, participant);
  return {
    settings,
    proposals,
    participants,
    fulfilments,
    pastFulfilments: advance(space.pastFulfilments, recent.since, settings.dedupWindow),
    counters,
    grants: linkGrants(space.grants, participant, before),
    servers,
    listers,
    pending,
    dependents,
    waiting,
    delegators: relinkDelegate(space.delegators, participant, before),
    pause: isSpaceWide(record) ? pauseAfter(space.pause, record) : space.pause,
    recent,
  };
}

function remember({ settings, recent }: SpaceState, record: OperationRecord, version: number): RecentIds {
  const { name, dedupWindow } = settings;
  let next = recent;
  for (const [id, seen] of seenIds(name, record, version)) next = rememberId(next, id, seen, dedupWindow);
  return next;
}
