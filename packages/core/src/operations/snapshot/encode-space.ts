import type { JsonObject } from '../../json/json.js';
import type { Proposal } from '../proposal/proposal.js';
import type { Generations } from '../space/generations.js';
import type { Seen } from '../space/recent-ids.js';
import { replaySpace } from '../space/replay.js';
import type { SpaceState } from '../space/space.js';
import type { Generation, SeenPart, SpacePart } from './space-part.js';

/** How many ids one piece has at most. */
const AT_ONCE = 1_000;

/**
 * The state of a space in pieces, without what is over and nobody needs in memory: what `replaySpace` would leave.
 * To be taken all at once, before the state changes.
 */
export function* encodeSpace(space: SpaceState): Generator<SpacePart> {
  const { recent, pastFulfilments, participants, servers, listers, pause, proposals } =
    replaySpace(space).end();
  yield ['since', recent.since];
  for (const [generation, entries] of generationsOf(recent))
    for (const some of inChunks(entries)) yield ['recent', generation, some.map(encodeSeen)];
  for (const [generation, entries] of generationsOf(pastFulfilments))
    for (const some of inChunks(entries)) yield ['past', generation, some];
  for (const participant of participants.values()) yield ['participant', { ...participant }];
  yield ['servers', [...servers]];
  yield ['listers', [...listers]];
  if (pause !== undefined) yield ['pause', pause];
  for (const proposal of proposals.values()) yield ['proposal', encodeProposal(proposal)];
}

function encodeSeen([id, { from, fingerprint, stream, version, time, asked }]: readonly [
  string,
  Seen,
]): SeenPart {
  return asked === undefined
    ? [id, from, fingerprint, stream, version, time]
    : [id, from, fingerprint, stream, version, time, asked];
}

function encodeProposal(proposal: Proposal): JsonObject {
  const { rejections, statuses, ...plain } = proposal;
  return { ...plain, rejections: [...rejections], statuses: [...statuses] };
}

function generationsOf<Value extends object | string>(
  generations: Generations<Value>,
): readonly (readonly [Generation, readonly (readonly [string, Value])[]])[] {
  return [
    ['older', [...generations.older]],
    ['newer', [...generations.newer]],
  ];
}

function* inChunks<Entry>(entries: readonly Entry[]): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += AT_ONCE) yield entries.slice(start, start + AT_ONCE);
}
