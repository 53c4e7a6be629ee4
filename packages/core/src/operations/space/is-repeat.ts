import type { Envelope } from '../../envelope/envelope.js';
import { fingerprint } from '../proposal/fingerprint.js';
import { recallId } from './recent-ids.js';
import type { SpaceState } from './space.js';

/**
 * Whether a message was accepted before (O-3). Its sender is told the same again also when what allowed it is over by
 * now, as a grant is after its last use.
 */
export function isRepeat(
  { recent, settings }: Pick<SpaceState, 'recent' | 'settings'>,
  envelope: Envelope,
  now: number,
): boolean {
  const seen = recallId(recent, envelope.id, now, settings.dedupWindow);
  return seen?.from === envelope.from && seen.fingerprint === fingerprint(envelope);
}
