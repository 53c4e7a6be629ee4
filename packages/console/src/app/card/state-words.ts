import { decisionOn, type Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';
import { countdown, timeOfDay } from '../text/words.js';

/** How a proposal ended, or that it is open, in a word or two. */
export function endingOf(proposal: Proposal): {
  readonly word: string;
  readonly tone: 'good' | 'bad' | 'plain';
} {
  const { phase, outcome } = proposal;
  if (phase === 'pending') return { word: 'waiting', tone: 'plain' };
  if (phase === 'fulfilled') return { word: 'running', tone: 'plain' };
  if (phase === 'allowed') return { word: 'allowed', tone: 'plain' };
  if (phase === 'settled') {
    if (outcome?.result === 'ok') return { word: 'done', tone: 'good' };
    if (outcome?.cause === 'not_reported') return { word: 'allowed, never reported', tone: 'plain' };
    if (outcome?.result !== 'error') return { word: 'outcome unknown', tone: 'bad' };
    return outcome.notRun === true ? { word: 'not run', tone: 'plain' } : { word: 'failed', tone: 'bad' };
  }
  const { decision } = decisionOn(proposal) ?? {};
  return decision === 'rejected' || decision === 'declined'
    ? { word: decision, tone: 'bad' }
    : { word: decision ?? phase, tone: 'plain' };
}

/** Time left, and what happens then. */
export function deadlineOf(
  proposal: Proposal,
  now: number,
): { readonly words: string; readonly isSoon: boolean } {
  const { expiresAt } = proposal;
  const proposer = plainLine(proposal.proposer);
  if (expiresAt === undefined) return { words: 'no time limit', isSoon: false };
  const left = expiresAt - now;
  if (left <= 0) return { words: `its time is up; it expires now and ${proposer} is told`, isSoon: true };
  return {
    words: `${countdown(left)} left, then it expires and ${proposer} is told`,
    isSoon: left < 120_000,
  };
}

/** For whom it is, and until when, if it names someone (O-20). */
export function reservationOf({ targeting, addressees, opened }: Proposal, me: string): string | undefined {
  if (addressees.length === 0) return undefined;
  const names = addressees.map((name) => (name === me ? 'you' : plainLine(name)));
  const whom = names.join(', ');
  if (targeting?.exclusive !== true) return `asked of ${whom}; others may decide too`;
  if (opened) return `was reserved for ${whom}; now anybody may decide`;
  const then = targeting.fallback ? 'then anybody may decide' : 'then it counts as declined';
  const until = targeting.until === undefined ? '' : ` until ${timeOfDay(targeting.until)}`;
  return `reserved for ${whom}${until}; ${then}`;
}
