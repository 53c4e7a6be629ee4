import { findMode, isFinal, PROPOSAL_MODE, type SessionMetadata } from '@proffer/core/negotiation';
import { countdown } from '../text/words.js';

/** The state of a session: the time it has left, or how it ended. */
export function stateOf(
  { state, ending, expires_at_unix_ms }: SessionMetadata,
  now: number,
): { readonly word: string; readonly tone: 'good' | 'bad' | 'plain' } {
  if (state === 'RESOLVED') {
    return ending?.outcome_positive === false
      ? { word: 'committed as negative', tone: 'bad' }
      : { word: 'committed', tone: 'good' };
  }
  if (isFinal(state)) return { word: state.toLowerCase(), tone: 'bad' };
  if (state === 'SUSPENDED') return { word: 'suspended', tone: 'plain' };
  return { word: `${countdown(expires_at_unix_ms - now)} left`, tone: 'plain' };
}

/** What people call a mode; its name if this version does not know it. */
export function modeTitle(mode: string): string {
  return findMode(mode)?.descriptor.title ?? mode;
}

/** What the two outcomes are called: only offers end in an agreement. */
export function outcomeWords(mode: string) {
  return mode === PROPOSAL_MODE
    ? {
        positive: 'Agreed and committed',
        negative: 'Committed without an agreement',
        commitPositive: 'Commit the agreement',
        commitNegative: 'Commit without an agreement',
      }
    : {
        positive: 'Committed, with a positive outcome',
        negative: 'Committed, with a negative outcome',
        commitPositive: 'Commit a positive outcome',
        commitNegative: 'Commit a negative outcome',
      };
}
