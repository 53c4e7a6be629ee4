import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import type { Steps } from '../history/steps.js';
import { decidedByRules, type OwnedRules, ownedRules } from '../rulebook/index.js';
import type { Slices } from './in-slices.js';
import { readRecent } from './recent-history.js';

/** Of all participants that ever announced rules: those connected, and the most recent ones that were. */
const MAX_OWNERS = 200;

/** `GET /spaces/{space}/rules`: who decides by which rules, in plain language, and what they decided lately. */
export async function listRules(
  request: SpaceRequest,
  slices: Slices,
): Promise<JsonObject | { readonly refused: Refusal }> {
  const { participants, isConnected } = request;
  const announcing = [...participants()].flatMap(({ name, rules }) =>
    rules === undefined ? [] : [{ participant: name, connected: isConnected(name), announced: rules }],
  );
  const recent = await readRecent(request);
  const decided = decidedByRules(recent.entries);
  const shown = announcing
    .sort((one, other) => Number(other.connected) - Number(one.connected) || byName(one, other))
    .slice(0, MAX_OWNERS);
  const owners = await slices.run(
    (function* (): Steps<readonly OwnedRules[]> {
      const owned: OwnedRules[] = [];
      for (const one of shown) {
        owned.push(ownedRules(one, decided.get(one.participant) ?? []));
        yield;
      }
      return owned;
    })(),
  );
  if (!owners.ok) return { refused: owners.refusal };
  return { owners: owners.value as readonly object[] as readonly JsonObject[], history: recent.extent };
}

function byName(one: { readonly participant: string }, other: { readonly participant: string }): number {
  return one.participant < other.participant ? -1 : 1;
}
