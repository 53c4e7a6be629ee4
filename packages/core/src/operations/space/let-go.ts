import { letGoGenerations } from './generations.js';
import type { SpaceState } from './space.js';

/**
 * Says that nobody reads a state, or one between it and a newer one, again: a host calls it when the newer one is
 * durable. It changes nothing but what the garbage collector has to keep.
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
