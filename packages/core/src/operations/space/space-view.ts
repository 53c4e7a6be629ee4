import type { JsonObject } from '../../json/json.js';
import { viewMap, viewProposal } from '../proposal/proposal-view.js';
import type { SpaceState } from './space.js';

/** The whole state of a space as JSON, for comparing live state with replay (I-3). */
export function viewSpace(space: SpaceState): JsonObject {
  const { newer, older, since } = space.recent;
  return {
    settings: space.settings,
    proposals: viewMap(space.proposals, viewProposal),
    participants: viewMap(space.participants, (participant) => ({ ...participant })),
    fulfilments: Object.fromEntries(space.fulfilments),
    ...viewPast(space),
    counters: Object.fromEntries(space.counters),
    grants: Object.fromEntries(space.grants),
    pending: Object.fromEntries(space.pending),
    servers: Object.fromEntries(space.servers),
    listers: Object.fromEntries(space.listers),
    dependents: viewMap(space.dependents, (proposals) => [...proposals.keys()].sort()),
    waiting: viewMap(space.waiting, (proposals) => [...proposals.keys()].sort()),
    ...(space.pause === undefined ? {} : { pause: space.pause }),
    delegators: Object.fromEntries(space.delegators),
    recent: { newer: viewMap(newer, (seen) => seen), older: viewMap(older, (seen) => seen), since },
  };
}

function viewPast({ pastFulfilments: { newer, older, since } }: SpaceState): JsonObject {
  if (newer.size + older.size === 0) return {};
  return { past: { newer: Object.fromEntries(newer), older: Object.fromEntries(older), since } };
}
