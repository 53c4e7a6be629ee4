import { letGoGenerations } from './generations.js';
import type { SpaceState } from './space.js';

/**
 * Declares that a state, and those between it and a newer one, will not be read again: a host calls
 * it when the newer one is durable. Only affects garbage collection.
 */
export function letGoSpaceUntil(space: SpaceState, newer: SpaceState): void {
  space.proposals.letGoUntil(newer.proposals);
  space.participants.letGoUntil(newer.participants);
  space.fulfilments.letGoUntil(newer.fulfilments);
  space.counters.letGoUntil(newer.counters);
  space.grants.letGoUntil(newer.grants);
  space.servers.letGoUntil(newer.servers);
  space.listers.letGoUntil(newer.listers);
  space.pending.letGoUntil(newer.pending);
  space.dependents.letGoUntil(newer.dependents);
  space.waiting.letGoUntil(newer.waiting);
  space.delegators.letGoUntil(newer.delegators);
  letGoGenerations(space.pastFulfilments, newer.pastFulfilments);
  letGoGenerations(space.recent, newer.recent);
}
