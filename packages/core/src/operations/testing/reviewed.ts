import type { ReviewEntry } from '../review/policy.js';
import type { SpaceSettings } from '../settings.js';
import { announce, createWorld, propose, type World } from './world.js';

const NAMES = ['agent', 'ann', 'bob', 'cleo', 'reviewer', 'tools', 'other'];

/** An entry about writing that requires two approvals by default. */
export const entry = (more: Partial<ReviewEntry> = {}): ReviewEntry => ({
  name: 'writes',
  call: 'mcp.request.tools/call:write_*',
  proposers: [],
  approvals: 2,
  from: ['ann', 'bob', 'role:finance'],
  veto: false,
  escalate: [],
  ...more,
});

/** A space with a review policy, in which `p1` is proposed. */
export function reviewed(
  review: readonly ReviewEntry[] = [entry()],
  settings: Partial<SpaceSettings> = {},
): World {
  const world = createWorld(NAMES, { review, ...settings });
  for (const name of ['ann', 'bob', 'cleo', 'reviewer']) world.capabilities.set(name, ['*']);
  world.send(announce('n1', 'tools', ['write_file']));
  world.send(propose('p1'));
  return world;
}
