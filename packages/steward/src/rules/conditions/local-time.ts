/** A moment in local time. */
export interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
  /** As in `2026-11-16T09:00`, so that later times sort later. */
  readonly moment: string;
}

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Returns a function that converts to the local time of a zone; `undefined` for an unknown zone. */
export function localClock(zone: string): ((time: number) => LocalTime | undefined) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    return undefined;
  }
  // All rules of a set ask about the same moment, and the conversion takes longer than the rest of a
  // rule.
  let last: { readonly time: number; readonly local: LocalTime | undefined } | undefined;
  return (time) => {
    if (last?.time !== time) last = { time, local: read(format, time) };
    return last.local;
  };
}

const MAX_TIME = 8.64e15;

function read(format: Intl.DateTimeFormat, time: number): LocalTime | undefined {
  if (!(Math.abs(time) <= MAX_TIME)) return undefined;
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const day = DAYS.findIndex((name) => name === parts.get('weekday')?.toLowerCase());
  const [year = '', month, date, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map((part) =>
    parts.get(part as Intl.DateTimeFormatPartTypes),
  );
  const moment = `${year.padStart(4, '0')}-${month}-${date}T${hour}:${minute}`;
  return { day, minute: Number(hour) * 60 + Number(minute), moment };
}
