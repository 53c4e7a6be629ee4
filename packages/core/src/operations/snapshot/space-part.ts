import type { JsonObject } from '../../json/json.js';
import type { AskedList } from '../space/recent-ids.js';
import type { ToolServer } from '../space/servers.js';

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
