import { formatPath } from '@proffer/core/json';
import {
  nearest,
  readKey,
  readOneOrMore,
  readSection,
  readText,
  type ValueReader,
  wanted,
} from '@proffer/reading';
import type { Condition, ConditionResult } from './condition.js';

/** A moment in local time. */
interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
  /** As in `2026-11-16T09:00`, so that later times sort later. */
  readonly moment: string;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Returns a function that converts to the local time of a zone; `undefined` for an unknown zone. */
function localClock(zone: string): ((time: number) => LocalTime | undefined) | undefined {
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

/** From the first minute to the one before the last; crosses midnight if the last is not later. */
interface Hours {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Days = { readonly days: readonly number[]; readonly text: string };

const readDays: ValueReader<Days> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value.toLowerCase() : '';
  const [first = '', last = first, ...rest] = text.split('-').map((name) => name.trim());
  const from = DAYS.findIndex((day) => day === first);
  const to = DAYS.findIndex((day) => day === last);
  if (from === -1 || to === -1 || rest.length > 0) {
    const expected = 'a day (mon, tue, wed, thu, fri, sat, sun) or a range such as mon-fri';
    return wanted(tree, path, report, expected, nearest(from === -1 ? first : last, DAYS));
  }
  const count = ((to - from + 7) % 7) + 1;
  return { days: Array.from({ length: count }, (_, step) => (from + step) % 7), text };
};

const readHours: ValueReader<Hours> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  const [, from, to] = /^(\d\d:\d\d) ?- ?(\d\d:\d\d)$/.exec(text) ?? [];
  const start = minuteOf(from);
  const end = minuteOf(to);
  if (start === undefined || end === undefined || start === end || start === 24 * 60) {
    return wanted(tree, path, report, 'two different times such as 09:00-17:00, in quotes');
  }
  return { from: start, to: end, text };
};

/** A day, or a minute of it, in the zone's local time. */
const readMoment: ValueReader<string> = (tree, path, report) => {
  const text = tree.kind === 'scalar' ? String(tree.value).replace(' ', 'T') : '';
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?$/.exec(text) ?? [];
  const start = Date.parse(`${day}T00:00Z`);
  // Date.parse accepts 31 February as a day in March.
  const isDay = day !== undefined && !Number.isNaN(start) && new Date(start).toJSON().startsWith(day);
  if (isDay && (minute === undefined || (minuteOf(minute) ?? 1440) < 1440)) return text;
  return wanted(
    tree,
    path,
    report,
    'a day such as 2026-12-31, or a time such as 2026-12-31 18:00, in the zone',
  );
};

function minuteOf(text = ''): number | undefined {
  const hour = Number(text.slice(0, 2));
  const minute = Number(text.slice(3));
  const total = hour * 60 + minute;
  return text !== '' && minute < 60 && total <= 24 * 60 ? total : undefined;
}

const KEYS = ['days', 'hours', 'from', 'until', 'zone'];

/**
 * Reads `{ days, hours, from, until, zone }`. All are local to the zone (default UTC) and apply to
 * the moment itself: hours over midnight on `fri` are the last of Friday and the first of the same
 * Friday. `until` includes a whole day, but not a minute.
 */
export const readTime: ValueReader<Condition> = (tree, path, report) => {
  const section = readSection(tree, path, report, { keys: KEYS });
  if (section === undefined) return undefined;
  if (KEYS.every((key) => key === 'zone' || !section.entries.has(key))) {
    const message = 'This condition is empty; expected at least one of days, hours, from and until.';
    report(section.at, formatPath(path), message);
    return undefined;
  }
  const from = readKey(section, 'from', path, report, readMoment);
  const until = readKey(section, 'until', path, report, readMoment);
  if (from !== undefined && until !== undefined && until < from.slice(0, until.length)) {
    const at = section.entries.get('until')?.value.at ?? section.at;
    report(at, formatPath([...path, 'until']), 'This is before `from`, so the rule would never match.');
    return undefined;
  }
  const days = readKey(section, 'days', path, report, readOneOrMore(readDays, 'days'));
  const hours = readKey(section, 'hours', path, report, readOneOrMore(readHours, 'times'));
  const zone = readKey(section, 'zone', path, report, readText()) ?? 'UTC';
  const clock = localClock(zone);
  if (clock === undefined) {
    const names = Intl.supportedValuesOf('timeZone');
    const at = section.entries.get('zone')?.value ?? section;
    return wanted(at, [...path, 'zone'], report, 'a time zone such as Europe/Berlin', nearest(zone, names));
  }
  const wantedDays = days === undefined ? undefined : new Set(days.flatMap((some) => some.days));
  const texts = [
    ...[days, hours].map((some) => some?.map(({ text }) => text).join(', ')),
    from === undefined ? undefined : `from ${from}`,
    until === undefined ? undefined : `until ${until}`,
  ];
  return {
    about: 'time',
    expected: [...texts.filter((text) => text !== undefined), zone].join(' '),
    judge: ({ time }): ConditionResult => {
      const local = clock(time);
      if (local === undefined) return 'doubt';
      if (from !== undefined && local.moment < from) return 'no';
      if (until !== undefined && isOver(local.moment, until)) return 'no';
      if (wantedDays?.has(local.day) === false) return 'no';
      return hours === undefined || hours.some((some) => isWithin(some, local)) ? 'yes' : 'no';
    },
    found: ({ time }) => showTime(clock(time), zone),
  };
};

function isOver(moment: string, until: string): boolean {
  return until.includes('T') ? moment >= until : moment.slice(0, until.length) > until;
}

function isWithin({ from, to }: Hours, { minute }: LocalTime): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function showTime(local: LocalTime | undefined, zone: string): string {
  if (local === undefined) return 'no time';
  return `${DAYS[local.day]} ${local.moment.replace('T', ' ')} ${zone}`;
}
