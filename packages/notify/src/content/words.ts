import { makeVisible } from '@proffer/core/text';
import type { Ending, Summary } from '../outbox/outbox.js';

/** What would be done, in a few words: `call write_file`, `read file:///a`. */
export function describeOperation({ method, subject }: Pick<Summary, 'method' | 'subject'>): string {
  const what = subject === undefined ? '' : ` ${makeVisible(subject)}`;
  if (method === 'tools/call') return `call${what}`;
  if (method === 'resources/read') return `read${what}`;
  if (method === 'prompts/get') return `get the prompt${what}`;
  return `${makeVisible(method)}${what}`;
}

/** The outcome: `Approved by alice`. */
export function describeEnding(ending: Ending | undefined): string {
  if (ending === undefined) return 'Ended';
  const by = ending.by === undefined ? '' : ` by ${makeVisible(ending.by)}`;
  const reason = ending.reason === undefined ? '' : ` (${makeVisible(ending.reason)})`;
  return `${WORDS[ending.ended]}${by}${reason}`;
}

const WORDS: Readonly<Record<Ending['ended'], string>> = {
  fulfilled: 'Approved',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  declined: 'Declined',
};

const UNITS: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** A duration in the largest unit that fits: `2 hours`. */
export function describeLength(milliseconds: number): string {
  const [name, worth] = UNITS.find(([, worth]) => milliseconds >= worth) ?? ['second', 1_000];
  const count = Math.max(1, Math.round(milliseconds / worth));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
