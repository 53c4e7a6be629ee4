import type { Envelope } from '../../envelope/envelope.js';
import type { ServedList } from '../../envelope/kind.js';
import { isJsonObject } from '../../json/json.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { type OperationRecord, streamOf } from '../records.js';
import { type Generations, isRemembered, recall, remember } from './generations.js';
import type { SpaceState } from './space.js';

/** What a request asked to list, and from whom; empty means everyone. */
export type AskedList = { readonly list: ServedList; readonly of: readonly string[] };

const LISTS: ReadonlyMap<unknown, ServedList> = new Map([
  ['mcp.request.tools/list', 'tools'],
  ['mcp.request.prompts/list', 'prompts'],
  ['mcp.request.resources/list', 'resources'],
]);

/** What a message asks to list. Only a first page: later requests do not say what was on it. */
export function askedList({ kind, to = [], payload }: Envelope): AskedList | undefined {
  const list = LISTS.get(kind);
  const { params } = payload;
  const isLaterPage = isJsonObject(params) && params['cursor'] !== undefined;
  return list === undefined || isLaterPage ? undefined : { list, of: to };
}

/** What is remembered about an accepted message, to recognise a repeat (O-3). */
export type RememberedMessage = {
  readonly from: string;
  readonly fingerprint: string;
  /** The record it became, so that the sender can be given the same answer. */
  readonly stream: string;
  readonly version: number;
  readonly time: number;
  /** For a request such as `tools/list`: what it asked to list, and from whom. */
  readonly asked?: AskedList;
};

/** A taken id, and what it was used for. */
export type TakenId = readonly [id: string, seen: RememberedMessage];

/** The ids of the last dedup window. */
export type RecentIds = Generations<RememberedMessage>;

/** Remembers an accepted message. */
export function rememberId(ids: RecentIds, id: string, seen: RememberedMessage, window: number): RecentIds {
  return remember(ids, [id, seen], { time: seen.time, window });
}

/** Remembers unknown ones, unless they are so old that they would have been dropped. */
export function rememberMissing(ids: RecentIds, missing: readonly TakenId[], window: number): RecentIds {
  let next = ids;
  for (const [id, seen] of missing) {
    const isKnown = recall(next, id) !== undefined || !isRemembered(next, seen.time, window);
    if (!isKnown) next = rememberId(next, id, seen, window);
  }
  return next;
}

/** What an id was used for within the window before `now`. */
export function recallId(
  ids: RecentIds,
  id: string,
  now: number,
  window: number,
): RememberedMessage | undefined {
  const seen = recall(ids, id);
  return seen !== undefined && now - seen.time < window ? seen : undefined;
}

const NONE: readonly TakenId[] = [];

/**
 * The ids that a record takes (O-3): that of its message, and of the batch it is a part of. None for
 * the gateway's own notices, which are never sent again.
 *
 * @param version - of the record in its stream
 */
export function seenIds(space: string, record: OperationRecord, version: number): readonly TakenId[] {
  if (!('fingerprint' in record.facts)) return NONE;
  const { principal: from, time, facts, envelope } = record;
  const asked = record.type === 'said' ? askedList(envelope) : undefined;
  const stream = streamOf(space, record);
  const known = { from, fingerprint: facts.fingerprint, stream, version, time };
  const seen = asked === undefined ? known : { ...known, asked };
  const batch = 'batch' in record.facts ? record.facts.batch : undefined;
  if (batch === undefined) return [[envelope.id, seen]];
  // The message became several records, as its parts show: in whatever order they arrive, it is remembered as
  // one.
  const whole = { from, fingerprint: batch.fingerprint, stream: '', version: 0, time };
  return [
    [envelope.id, seen],
    [batch.id, whole],
  ];
}

/**
 * Whether a message was accepted before (O-3). Its sender gets the same answer even if what allowed
 * it has ended, like a grant after its last use.
 */
export function isRepeat(
  { recent, settings }: Pick<SpaceState, 'recent' | 'settings'>,
  envelope: Envelope,
  now: number,
): boolean {
  const seen = recallId(recent, envelope.id, now, settings.dedupWindow);
  return seen?.from === envelope.from && seen.fingerprint === fingerprint(envelope);
}

/** The sender and content of a remembered message. */
type Said = Pick<RememberedMessage, 'from' | 'fingerprint'>;

/** What is to be remembered about a message. */
export function saidIn(envelope: Envelope): Said {
  return { from: envelope.from, fingerprint: fingerprint(envelope) };
}

/**
 * Whether a record is what a message became, or a part of it became: it has the same id, sender and
 * content (O-47). Another record, wherever it was found, is never the answer to that message.
 *
 * @param said - the sender and content of the message, or of its part
 */
export function isRecordOf(record: OperationRecord, { id }: Pick<Envelope, 'id'>, said: Said): boolean {
  const { facts, principal, envelope } = record;
  const isSaid = envelope.id === id || envelope.id.startsWith(`${id}#`);
  return (
    isSaid && 'fingerprint' in facts && facts.fingerprint === said.fingerprint && principal === said.from
  );
}
