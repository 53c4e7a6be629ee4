import type { JsonObject } from '../../json/json.js';
import type { ParticipantState } from '../participant.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Generations } from '../space/generations.js';
import type { AskedList, RememberedMessage } from '../space/recent-ids.js';
import type { ToolServer } from '../space/servers.js';
import { evictProposal, type SpaceState } from '../space/space.js';

/** One of the two generations of short-term memory. */
export type Generation = 'newer' | 'older';

/** A taken id, and what it was used for. */
export type SeenPart = readonly [
  id: string,
  from: string,
  fingerprint: string,
  stream: string,
  version: number,
  time: number,
  asked?: AskedList,
];

/**
 * A piece of a space's state as JSON. There are as many as needed; `since` comes first. What can be
 * derived from other pieces (dependents, pending counts) is left out and recomputed when they are
 * reassembled.
 */
export type SpacePart =
  | readonly ['since', number]
  | readonly ['recent', Generation, readonly SeenPart[]]
  | readonly ['past', Generation, readonly (readonly [request: string, proposal: string])[]]
  | readonly ['participant', JsonObject]
  | readonly ['servers' | 'listers', readonly (readonly [served: string, by: readonly ToolServer[]])[]]
  | readonly ['pause', JsonObject]
  | readonly ['proposal', JsonObject];

/** The maximum number of ids per piece. */
const AT_ONCE = 500;

/**
 * The state of a space in pieces, without finished proposals that need not be in memory: what
 * `replaySpace` would leave. It is the state as of the call; the expensive work is done piece by
 * piece, as they are consumed.
 */
export function encodeSpace(space: SpaceState): Iterable<SpacePart> {
  const atRest = [...space.proposals.keys()].reduce(evictProposal, space);
  const { recent, pastFulfilments, participants, servers, listers, pause, proposals } = atRest;
  // The maps of a state must not be read once there is a newer one: their content is taken now.
  return encodeParts({
    since: recent.since,
    recent: generationsOf(recent),
    past: generationsOf(pastFulfilments),
    participants: [...participants.values()],
    servers: [...servers],
    listers: [...listers],
    pause,
    proposals: [...proposals.values()],
  });
}

interface Taken extends Pick<SpaceState, 'pause'> {
  readonly since: number;
  readonly recent: Entries<RememberedMessage>;
  readonly past: Entries<string>;
  readonly participants: readonly ParticipantState[];
  readonly servers: readonly (readonly [string, readonly ToolServer[]])[];
  readonly listers: readonly (readonly [string, readonly ToolServer[]])[];
  readonly proposals: readonly Proposal[];
}

function* encodeParts(taken: Taken): Generator<SpacePart> {
  yield ['since', taken.since];
  for (const [generation, entries] of taken.recent)
    for (const some of inChunks(entries)) yield ['recent', generation, some.map(encodeSeen)];
  for (const [generation, entries] of taken.past)
    for (const some of inChunks(entries)) yield ['past', generation, some];
  for (const participant of taken.participants) yield ['participant', { ...participant }];
  yield ['servers', taken.servers];
  yield ['listers', taken.listers];
  if (taken.pause !== undefined) yield ['pause', taken.pause];
  for (const proposal of taken.proposals) yield ['proposal', encodeProposal(proposal)];
}

function encodeSeen([id, { from, fingerprint, stream, version, time, asked }]: readonly [
  string,
  RememberedMessage,
]): SeenPart {
  return asked === undefined
    ? [id, from, fingerprint, stream, version, time]
    : [id, from, fingerprint, stream, version, time, asked];
}

function encodeProposal(proposal: Proposal): JsonObject {
  const { rejections, statuses, ...plain } = proposal;
  return { ...plain, rejections: [...rejections], statuses: [...statuses] };
}

type Entries<Value> = readonly (readonly [Generation, readonly (readonly [string, Value])[]])[];

function generationsOf<Value extends object | string>({ older, newer }: Generations<Value>): Entries<Value> {
  return [
    ['older', [...older]],
    ['newer', [...newer]],
  ];
}

function* inChunks<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += AT_ONCE) yield entries.slice(start, start + AT_ONCE);
}
