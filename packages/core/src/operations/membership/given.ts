import type { SpaceState } from '../space/space.js';

/**
 * Whether something that a participant gave others has ended, because it was removed since (O-52). It stays ended when
 * the participant is let in again.
 *
 * @param at - when it was given, in milliseconds since 1970
 */
export function endedByRemoval(
  { participants }: Pick<SpaceState, 'participants'>,
  { by, at }: { readonly by: string; readonly at: number },
): boolean {
  const { kicked, removedAt } = participants.get(by) ?? {};
  return kicked !== undefined || (removedAt !== undefined && at <= removedAt);
}
