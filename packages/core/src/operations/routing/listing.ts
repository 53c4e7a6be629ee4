import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import type { ServedList } from '../../envelope/kind.js';
import { objectsIn } from '../../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/json.js';
import { type AskedList, recallId } from '../space/recent-ids.js';
import type { SpaceState } from '../space/space.js';

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

/**
 * The list that a response contains, if it answers a recent list request to its sender. Some clients
 * never announce what they serve and only list it when asked.
 */
export function answeredList(
  { recent, settings }: Pick<SpaceState, 'recent' | 'settings'>,
  envelope: Envelope,
  now: number,
): ServedList | undefined {
  if (!envelope.kind.startsWith('mcp.response')) return undefined;
  const asked = correlationIds(envelope)
    .map((request) => recallId(recent, request, now, settings.dedupWindow)?.asked)
    .find((found) => found !== undefined);
  if (asked === undefined || (asked.of.length > 0 && !asked.of.includes(envelope.from))) return undefined;
  const { result } = envelope.payload;
  return isJsonObject(result) && isJsonArray(result[asked.list]) ? asked.list : undefined;
}

/** The definitions in a response that lists them. */
export function listedIn({ payload: { result } }: Envelope, list: ServedList): readonly JsonObject[] {
  const listed = isJsonObject(result) ? result[list] : undefined;
  return objectsIn(listed);
}
