import { formatPath } from '@proffer/core';
import { nearest } from '@proffer/reading';
import type { Condition, Verdict } from './condition.js';
import { DAYS, type LocalTime, localClock } from './local-time.js';
import { type Reader, readKey, readSection, readSome, readText, wanted } from './readers.js';

/** From the first minute to the one before the last; over midnight when the last is not later. */
interface Hours {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Days = { readonly days: readonly number[]; readonly text: string };

const readDays: Reader<Days> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value.toLowerCase() : '';
  const [first = '', last = first, ...rest] = text.split('-').map((name) => name.trim());
  const from = DAYS.findIndex((day) => day === first);
  const to = DAYS.findIndex((day) => day === last);
  if (from === -1 || to === -1 || rest.length > 0) {
    const expected = 'a day (mon, tue, wed, thu, fri, sat, sun) or some in a row such as mon-fri';
    return wanted(tree, path, report, expected, nearest(from === -1 ? first : last, DAYS));
  }
  const count = ((to - from + 7) % 7) + 1;
  return { days: Array.from({ length: count }, (_, step) => (from + step) % 7), text };
};

const readHours: Reader<Hours> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  const [, from, to] = /^(\d\d:\d\d) ?- ?(\d\d:\d\d)$/.exec(text) ?? [];
  const start = minuteOf(from);
  const end = minuteOf(to);
  if (start === undefined || end === undefined || start === end || start === 24 * 60) {
    return wanted(tree, path, report, 'two different times such as 09:00-17:00, in quotes');
  }
  return { from: start, to: end, text };
};

function minuteOf(text = ''): number | undefined {
  const hour = Number(text.slice(0, 2));
  const minute = Number(text.slice(3));
  const total = hour * 60 + minute;
  return text !== '' && minute < 60 && total <= 24 * 60 ? total : undefined;
}

/**
 * Reads `{ days, hours, zone }`. Days and hours are those of the zone (default UTC), and of the moment
 * itself: hours over midnight on `fri` are the last of Friday and the first of the same Friday.
 */
export const readTime: Reader<Condition> = (tree, path, report) => {
  const section = readSection(tree, path, report, ['days', 'hours', 'zone']);
  if (section === undefined) return undefined;
  if (!section.entries.has('days') && !section.entries.has('hours')) {
    report(section.at, formatPath(path), 'There are no days and no hours; wanted: one of them, or both.');
    return undefined;
  }
  const days = readKey(section, 'days', path, report, readSome(readDays, 'days'));
  const hours = readKey(section, 'hours', path, report, readSome(readHours, 'times'));
  const zone = readKey(section, 'zone', path, report, readText) ?? 'UTC';
  const clock = localClock(zone);
  if (clock === undefined) {
    const names = Intl.supportedValuesOf('timeZone');
    const at = section.entries.get('zone')?.value ?? section;
    return wanted(at, [...path, 'zone'], report, 'a time zone such as Europe/Berlin', nearest(zone, names));
  }
  const wantedDays = days === undefined ? undefined : new Set(days.flatMap((some) => some.days));
  const texts = [days, hours].map((some) => some?.map(({ text }) => text).join(', '));
  return {
    about: 'time',
    expected: [...texts.filter((text) => text !== undefined), zone].join(' '),
    judge: ({ time }): Verdict => {
      const local = clock(time);
      if (local === undefined) return 'doubt';
      if (wantedDays?.has(local.day) === false) return 'no';
      return hours === undefined || hours.some((some) => isWithin(some, local)) ? 'yes' : 'no';
    },
    found: ({ time }) => showTime(clock(time), zone),
  };
};

function isWithin({ from, to }: Hours, { minute }: LocalTime): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function showTime(local: LocalTime | undefined, zone: string): string {
  if (local === undefined) return 'no time';
  return `${DAYS[local.day]} ${two(Math.floor(local.minute / 60))}:${two(local.minute % 60)} ${zone}`;
}
