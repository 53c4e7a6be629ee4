/** A time of day at which somebody does not want to be disturbed, on the clocks of a time zone. */
export interface QuietHours {
  /** Minutes since midnight. `from` after `to`: over midnight. */
  readonly from: number;
  readonly to: number;
  /** An IANA name such as `Europe/Berlin`. */
  readonly zone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60;

/** Reads `22:00-07:00`, with an optional time zone behind it; nothing if it is something else. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const found = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})(?: +(\S+))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [hour = 0, minute = 0, untilHour = 0, untilMinute = 0] = found.slice(1, 5).map(Number);
  if (hour > 23 || untilHour > 23 || minute > 59 || untilMinute > 59) return undefined;
  const zone = found[5] ?? 'UTC';
  const quiet = { from: hour * 60 + minute, to: untilHour * 60 + untilMinute, zone };
  return quiet.from === quiet.to || clockOf(zone) === undefined ? undefined : quiet;
}

/** A function that gives the end of the quiet hours that a moment falls into, or nothing. */
export function quietUntil(quiet: QuietHours | undefined): (time: number) => number | undefined {
  const clock = quiet && clockOf(quiet.zone);
  if (quiet === undefined || clock === undefined) return () => undefined;
  const { from, to } = quiet;
  return (time) => {
    const minute = clock(time);
    const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!isQuiet) return undefined;
    const left = (to - minute + DAY) % DAY;
    const end = Math.floor(time / MINUTE) * MINUTE + left * MINUTE;
    // When the clocks change in between, the end is an hour off: look at the clock there and correct it.
    const drift = ((clock(end) - to + DAY + DAY / 2) % DAY) - DAY / 2;
    return end - drift * MINUTE;
  };
}

/** Minutes since midnight on the clocks of a zone, or nothing when there is no such zone. */
function clockOf(zone: string): ((time: number) => number) | undefined {
  try {
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
  } catch {
    return undefined;
  }
}
