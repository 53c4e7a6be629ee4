import { makeVisible } from '../text/segments.js';

/** How a surface writes what is not ours: names, text from others, spans of time and moments. */
export interface Voice {
  /** A participant: its name, or `you`. */
  readonly name: (participant: string) => string;
  /** Text from others, on one line. */
  readonly text: (text: string) => string;
  /** A length of time, such as `5 min`. */
  readonly span: (milliseconds: number) => string;
  /** A moment, such as `14:05`. */
  readonly moment: (time: number) => string;
}

/** A voice without a reader: names as they are, times in ISO 8601 and in seconds. */
export const PLAIN: Voice = {
  name: onOneLine,
  text: onOneLine,
  span: (milliseconds) => `${Math.max(0, Math.round(milliseconds / 1_000))} s`,
  moment: (time) => new Date(time).toISOString(),
};

function onOneLine(text: string): string {
  return makeVisible(text.trimEnd().replaceAll(/\s*\r?\n\s*/g, ' ↵ '));
}

/** A participant at the beginning of a sentence. */
export function subject(participant: string, { name }: Voice): string {
  const said = name(participant);
  return said === 'you' ? 'You' : said;
}

const ROLE = 'role:';

/** Someone whom a policy names: a participant, or everyone with a role. */
export function person(named: string, { name, text }: Voice): string {
  return named.startsWith(ROLE) ? `anyone in ${text(named.slice(ROLE.length))}` : name(named);
}

/** `a`, `a and b`, `a, b and c`. */
export function allOf(items: readonly string[]): string {
  return listed(items, 'and');
}

/** `a`, `a or b`, `a, b or c`. */
export function anyOf(items: readonly string[]): string {
  return listed(items, 'or');
}

function listed(items: readonly string[], word: string): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** A duration in the largest unit that fits: `2 hours`. */
export function describeLength(milliseconds: number): string {
  const [name, worth] = UNITS.find(([, worth]) => milliseconds >= worth) ?? ['second', 1_000];
  return count(Math.max(1, Math.round(milliseconds / worth)), name);
}

/** `1 call`, `7 calls`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
