import type { Proposal } from '@proffer/core/operations';
import { type DecidedBy, type DecidedCall, OUTCOMES, type OutcomeName } from './decided-calls.js';

/** The times people took to decide, in milliseconds; `undefined` if they decided nothing. */
export interface Times {
  readonly p50: number | undefined;
  readonly p90: number | undefined;
}

/** The smallest value that at least a share of all values, from 0 to 1, does not exceed. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** How long people took. Rules and grants decide at once, and would hide it. */
export function timesOf(calls: readonly DecidedCall[]): Times {
  const took = calls.filter(({ decider }) => decider === 'person').map((call) => call.took);
  return { p50: percentile(took, 0.5), p90: percentile(took, 0.9) };
}

/** How many of the calls each decided. */
export function countDeciders(calls: readonly DecidedCall[]): Readonly<Record<DecidedBy, number>> {
  const counts: Record<DecidedBy, number> = { person: 0, rule: 0, grant: 0, nobody: 0 };
  for (const { decider } of calls) counts[decider]++;
  return counts;
}

/** What happened on a day in the reader's time zone. */
export interface Day extends Times {
  /** The beginning of the day, in milliseconds since 1970. */
  readonly start: number;
  readonly outcomes: Readonly<Record<OutcomeName, number>>;
  /** How many were waiting when it ended, or now. */
  readonly waiting: number;
}

/** Every day from a moment until now, also those on which nothing happened. */
export function daysOf(
  calls: readonly DecidedCall[],
  proposals: readonly Pick<Proposal, 'id' | 'proposedAt'>[],
  { from, now }: { readonly from: number; readonly now: number },
): readonly Day[] {
  const byDay = groupBy(calls, ({ at }) => startOfDay(at));
  const decidedAt = new Map(calls.map(({ proposal, at }) => [proposal, at]));
  const days: Day[] = [];
  for (let start = startOfDay(from); start <= now; start = nextDay(start)) {
    const end = Math.min(nextDay(start), now + 1);
    const own = byDay.get(start) ?? [];
    const outcomes = Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, own.filter((call) => call.outcome === outcome).length]),
    ) as Record<OutcomeName, number>;
    const waiting = proposals.filter(
      ({ id, proposedAt }) => proposedAt < end && (decidedAt.get(id) ?? Number.POSITIVE_INFINITY) >= end,
    ).length;
    days.push({ start, outcomes, waiting, ...timesOf(own) });
  }
  return days;
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function startOfDay(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0);
}

/** Not 24 hours: clocks change. */
function nextDay(start: number): number {
  const day = new Date(start);
  return day.setDate(day.getDate() + 1);
}

/** The decisions about one agent or tool, or of one person. */
export interface DecisionShare extends Times {
  readonly name: string;
  readonly calls: number;
  readonly approved: number;
  readonly deciders: Readonly<Record<DecidedBy, number>>;
}

/** Decisions by a name, the most frequent first. Calls without one do not count. */
export function sharesBy(
  calls: readonly DecidedCall[],
  nameOf: (call: DecidedCall) => string | undefined,
): readonly DecisionShare[] {
  const groups = groupBy(calls, nameOf);
  return [...groups]
    .flatMap(([name, own]) =>
      name === undefined
        ? []
        : [
            {
              name,
              calls: own.length,
              approved: own.filter(({ outcome }) => outcome === 'approved' || outcome === 'failed').length,
              deciders: countDeciders(own),
              ...timesOf(own),
            },
          ],
    )
    .sort((left, right) => right.calls - left.calls || (left.name < right.name ? -1 : 1));
}

const COLUMNS = ['decided_at', 'proposal', 'agent', 'tool', 'outcome', 'decided_by', 'decider', 'seconds'];

/** The decisions as a table for a spreadsheet, the oldest first. */
export function csvOf(calls: readonly DecidedCall[]): string {
  const rows = calls
    .toSorted((left, right) => left.at - right.at)
    .map(({ at, proposal = '', agent, tool, outcome, by = '', decider, took }) => [
      new Date(at).toISOString(),
      proposal,
      agent,
      tool,
      outcome,
      by,
      decider,
      String(took / 1_000),
    ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Quoted where it has to be. A spreadsheet would run a text that begins like a formula; an apostrophe makes it text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
