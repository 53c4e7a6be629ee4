import { releaseGenerations } from './generations.js';
import type { SpaceState } from './space.js';

/**
 * Declares that a state, and those between it and a newer one, will not be read again: a host calls
 * it when the newer one is durable. Only affects garbage collection.
 */
export function releaseSpaceUntil(space: SpaceState, newer: SpaceState): void {
  space.proposals.releaseUntil(newer.proposals);
  space.participants.releaseUntil(newer.participants);
  space.fulfilments.releaseUntil(newer.fulfilments);
  space.counters.releaseUntil(newer.counters);
  space.grants.releaseUntil(newer.grants);
  space.servers.releaseUntil(newer.servers);
  space.listers.releaseUntil(newer.listers);
  space.pending.releaseUntil(newer.pending);
  space.dependents.releaseUntil(newer.dependents);
  space.waiting.releaseUntil(newer.waiting);
  space.delegators.releaseUntil(newer.delegators);
  releaseGenerations(space.pastFulfilments, newer.pastFulfilments);
  releaseGenerations(space.recent, newer.recent);
}
