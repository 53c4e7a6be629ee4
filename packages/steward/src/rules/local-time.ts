/** A moment as the clocks on the wall show it. */
export interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
}

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Reads the clocks of a time zone, or nothing when there is no such zone. */
export function localClock(zone: string): ((time: number) => LocalTime | undefined) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    return undefined;
  }
  // All rules of a set ask about the same moment, and the answer takes longer than the rest of a rule.
  let last: { readonly time: number; readonly local: LocalTime | undefined } | undefined;
  return (time) => {
    if (last?.time !== time) last = { time, local: read(format, time) };
    return last.local;
  };
}

const MOST_TIME = 8.64e15;

function read(format: Intl.DateTimeFormat, time: number): LocalTime | undefined {
  if (!(Math.abs(time) <= MOST_TIME)) return undefined;
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const day = DAYS.findIndex((name) => name === parts.get('weekday')?.toLowerCase());
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}
