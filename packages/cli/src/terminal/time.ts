const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];
const WORTH: ReadonlyMap<string, number> = new Map([...UNITS, ['min', 60_000], ['ms', 1]]);

/** Milliseconds in a text such as `5m`, `1.5h`, `30s`, `250ms`; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|min|h|d)$/.exec(text) ?? [];
  const worth = WORTH.get(unit);
  if (worth === undefined) return undefined;
  const milliseconds = Math.round(Number(number) * worth);
  return milliseconds > 0 ? milliseconds : undefined;
}

/** A span for people: `850 ms`, `2.1 s`, `3m 20s`, `2d 4h`. */
export function formatSpan(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span < 1000) return `${Math.round(span)} ms`;
  if (span < 60_000) return `${(span / 1000).toFixed(1)} s`;
  const parts: string[] = [];
  let rest = span;
  for (const [unit, worth] of UNITS) {
    const count = Math.floor(rest / worth);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * worth;
  }
  return parts.slice(0, 2).join(' ');
}

/** A local time, with the date if it is not today's. */
export function formatMoment(time: number, now: number): string {
  const at = new Date(time);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return clock;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
