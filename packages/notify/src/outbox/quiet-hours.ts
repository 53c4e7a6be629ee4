import type { QuietHours } from '@proffer/gateway/config';

const MINUTE = 60_000;
const DAY = 24 * 60;

/** Returns a function that gives the end of the quiet hours that contain a moment, or `undefined`. */
export function quietUntil(quiet: QuietHours | undefined): (time: number) => number | undefined {
  if (quiet === undefined) return () => undefined;
  const { from, to, zone } = quiet;
  const clock = clockOf(zone);
  return (time) => {
    const minute = clock(time);
    const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!isQuiet) return undefined;
    const left = (to - minute + DAY) % DAY;
    const end = Math.floor(time / MINUTE) * MINUTE + left * MINUTE;
    // If the clocks change in between, the end is an hour off: check the local time there and correct
    // it.
    const drift = ((clock(end) - to + DAY + DAY / 2) % DAY) - DAY / 2;
    return end - drift * MINUTE;
  };
}

/** Minutes since midnight in a zone's local time. */
function clockOf(zone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0);
  };
}
