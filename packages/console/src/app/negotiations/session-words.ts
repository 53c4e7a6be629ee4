import { isFinal, type SessionMetadata } from '@proffer/core/negotiation';
import { countdown } from '../text/words.js';

/** The state of a session: the time it has left, or how it ended. */
export function stateOf(
  { state, expires_at_unix_ms }: SessionMetadata,
  now: number,
): { readonly word: string; readonly tone: 'good' | 'bad' | 'plain' } {
  if (state === 'RESOLVED') return { word: 'committed', tone: 'good' };
  if (isFinal(state)) return { word: state.toLowerCase(), tone: 'bad' };
  if (state === 'SUSPENDED') return { word: 'suspended', tone: 'plain' };
  return { word: `${countdown(expires_at_unix_ms - now)} left`, tone: 'plain' };
}
