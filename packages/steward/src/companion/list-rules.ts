import type { JsonObject } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { decidedByRules, ownedRules } from '../rulebook/index.js';
import { readRecent } from './recent-history.js';

/** Of all who ever announced rules, those who are connected and the last ones who were. */
const MOST_OWNERS = 200;

/** `GET /spaces/{space}/rules`: who decides by which rules, in words, and what they decided lately. */
export async function listRules(request: SpaceRequest): Promise<JsonObject> {
  const { participants, isConnected } = request;
  const announcing = [...participants()].flatMap(({ name, rules }) =>
    rules === undefined ? [] : [{ participant: name, connected: isConnected(name), announced: rules }],
  );
  const recent = await readRecent(request);
  const decided = decidedByRules(recent.entries);
  const owners = announcing
    .sort((one, other) => Number(other.connected) - Number(one.connected) || byName(one, other))
    .slice(0, MOST_OWNERS)
    .map((one) => ownedRules(one, decided.get(one.participant) ?? []));
  return { owners: owners as readonly object[] as readonly JsonObject[], history: recent.extent };
}

function byName(one: { readonly participant: string }, other: { readonly participant: string }): number {
  return one.participant < other.participant ? -1 : 1;
}
