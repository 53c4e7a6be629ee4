import type { SpaceState } from '../space/space.js';
import { type Grant, isInForce, NO_GRANTS } from './grant.js';

/** The grants in force to or by a participant, oldest first. */
export function grantsAbout(space: SpaceState, name: string, now: number): readonly Grant[] {
  if (space.grants.size === 0) return NO_GRANTS;
  return grantsInForce(space, now).filter(({ to, granter }) => to === name || granter === name);
}

/** All grants in force in a space, oldest first. */
export function grantsInForce(space: SpaceState, now: number): readonly Grant[] {
  const found: Grant[] = [];
  for (const id of space.grants.keys()) {
    const grant = grantById(space, id);
    if (grant !== undefined && isInForce(grant, now)) found.push(grant);
  }
  return found.sort((one, other) => one.at - other.at);
}

/** A grant that was not revoked or used up; it may have expired. */
export function grantById({ grants, participants }: SpaceState, id: string): Grant | undefined {
  const to = grants.get(id);
  return to === undefined ? undefined : participants.get(to)?.grants.find((grant) => grant.id === id);
}
