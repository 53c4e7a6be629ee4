import { findMode, isFinal, PROPOSAL_MODE, type SessionMetadata } from '@proffer/core/negotiation';
import { countdown } from '../text/words.js';

/** The state of a session: the time it has left, or how it ended. */
export function stateOf(
  { state, ending, expires_at_unix_ms }: SessionMetadata,
  now: number,
): { readonly word: string; readonly tone: 'good' | 'bad' | 'plain' } {
  if (state === 'RESOLVED') {
    // A registered mode may end with a message that is neither.
    if (ending !== undefined && ending.outcome_positive === undefined) return { word: 'over', tone: 'plain' };
    return ending?.outcome_positive === false
      ? { word: 'committed as negative', tone: 'bad' }
      : { word: 'committed', tone: 'good' };
  }
  if (isFinal(state)) return { word: state.toLowerCase(), tone: 'bad' };
  if (state === 'SUSPENDED') return { word: 'suspended', tone: 'plain' };
  return { word: `${countdown(expires_at_unix_ms - now)} left`, tone: 'plain' };
}

/** Whether a session has every word of a search: in its subject, id, mode, participants or state. */
export function isFound(session: SessionMetadata, search: string, now: number): boolean {
  const { session_id, intent, mode, participants, state } = session;
  const parts = [
    session_id,
    intent,
    mode,
    modeTitle(mode),
    ...participants,
    state,
    stateOf(session, now).word,
  ];
  const text = parts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
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
