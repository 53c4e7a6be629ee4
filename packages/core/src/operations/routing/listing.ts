import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import type { ServedList } from '../../envelope/kind.js';
import { objectsIn } from '../../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/json.js';
import { recallId } from '../space/recent-ids.js';
import type { SpaceState } from '../space/space.js';

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
