/** What was watched, in numbers (O-50). */
export interface WatchCounts {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly calls: number;
  /** The calls that only read. */
  readonly reads: number;
  /** Others that rules or the agents' own lists allow. */
  readonly allowed: number;
  /** The calls that somebody would have been asked about. */
  readonly asked: number;
  /** The calls that rules or protections would have denied. */
  readonly denied: number;
  /** How many rules would answer some of the questions, and how many of these. */
  readonly rules: number;
  readonly answered: number;
}

/** What was watched, in two sentences: `In 3 days: 412 calls, 371 only read, 29 would have been asked about. 4 rules would answer 24 of them.` */
export function describeWatched(counts: WatchCounts, now: number): string {
  const { since, calls, reads, allowed, asked, denied, rules, answered } = counts;
  const parts = [
    amount(calls, 'call'),
    ...(reads === 0 ? [] : [`${reads} only read`]),
    ...(allowed === 0 ? [] : [`${allowed} allowed by rules or the agents' own settings`]),
    ...(denied === 0 ? [] : [`${denied} would have been denied`]),
    `${asked} would have been asked about`,
  ];
  const said = `${capital(span(now - since))}: ${parts.join(', ')}.`;
  if (rules === 0) return said;
  return `${said} ${amount(rules, 'rule')} would answer ${answered === asked ? 'all' : answered} of them.`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function span(time: number): string {
  if (time >= DAY) return `in ${amount(Math.round(time / DAY), 'day')}`;
  if (time >= HOUR) return `in ${amount(Math.round(time / HOUR), 'hour')}`;
  return `in ${amount(Math.max(1, Math.round(time / MINUTE)), 'minute')}`;
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
