import type { Envelope } from '../../envelope/envelope.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { recallId } from './recent-ids.js';
import type { SpaceState } from './space.js';

/**
 * Whether a message was accepted before (O-3). Its sender gets the same answer even if what allowed
 * it has ended, like a grant after its last use.
 */
export function isRepeat(
  { recent, settings }: Pick<SpaceState, 'recent' | 'settings'>,
  envelope: Envelope,
  now: number,
): boolean {
  const seen = recallId(recent, envelope.id, now, settings.dedupWindow);
  return seen?.from === envelope.from && seen.fingerprint === fingerprint(envelope);
}
