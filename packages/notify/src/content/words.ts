import { defined } from '@proffer/core/json';
import {
  describeEnding,
  describeLength,
  describeStep,
  PLAIN,
  subject,
  type Voice,
} from '@proffer/core/words';
import type { Ended } from '../outbox/outbox.js';

/** How notifications write what is not ours. */
export const VOICE: Voice = { ...PLAIN, span: describeLength };

const TITLES: Readonly<Record<Ended['ended'], string>> = {
  fulfilled: 'Approved',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  declined: 'Declined',
};

/** The outcome in a word or two: `Approved by alice`. */
export function titleOfEnded(ended: Ended | undefined): string {
  if (ended === undefined) return 'Ended';
  return `${TITLES[ended.ended]}${ended.by === undefined ? '' : ` by ${VOICE.name(ended.by)}`}`;
}

/** The outcome as a sentence: who decided what, and why (O-45). */
export function describeEnded({ ended, by, reason, why }: Ended): string {
  if (why !== undefined) return describeEnding(why, VOICE);
  const notice = { notice: ended, final: true, why: 'unanswered' };
  const payload = by === undefined ? notice : defined({ reason });
  const { what, said } = describeStep({ type: ended, facts: {}, payload }, VOICE);
  if (by === undefined) return what;
  return `${subject(by, VOICE)} ${what}${said === undefined ? '' : ` (${VOICE.text(said)})`}.`;
}
