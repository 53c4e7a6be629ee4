import type { JsonObject } from '../../json/json.js';
import type { AskedList } from '../space/recent-ids.js';
import type { Server } from '../space/servers.js';

/** One of the two generations of what is remembered for a while. */
export type Generation = 'newer' | 'older';

/** An id that is taken, and by what. */
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
 * A piece of the state of a space as JSON. There are as many as it takes; `since` comes first. What follows from other
 * pieces (who waits for what, how many are pending) is left out and found again when they are put together.
 */
export type SpacePart =
  | readonly ['since', number]
  | readonly ['recent', Generation, readonly SeenPart[]]
  | readonly ['past', Generation, readonly (readonly [request: string, proposal: string])[]]
  | readonly ['participant', JsonObject]
  | readonly ['servers' | 'listers', readonly (readonly [served: string, by: readonly Server[]])[]]
  | readonly ['pause', JsonObject]
  | readonly ['proposal', JsonObject];
