const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|(?<sign>[+-])(\d\d):(\d\d))$/;
const LONGEST = 64;
const MINUTE = 60_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * True for an RFC 3339 date-time of at most 64 characters: a day that exists, a time with an offset,
 * seconds with or without a fraction. A 60th second only where one can be: at the end of a month in
 * UTC.
 */
export function isTimestamp(text: string): boolean {
  if (text.length > LONGEST) return false;
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [offsetHour, offsetMinute] = [part(8), part(9)];

  if (day < 1 || day > daysInMonth(year, month)) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match.groups?.['sign'] === '-' ? -1 : 1);
  return second === 60 && isStartOfMonth(Date.UTC(year, month - 1, day, hour, minute - offset) + MINUTE);
}

/** 0 for a month that does not exist, so that no day is in it. */
function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

function isStartOfMonth(milliseconds: number): boolean {
  const date = new Date(milliseconds);
  return date.getUTCDate() === 1 && date.getUTCHours() === 0 && date.getUTCMinutes() === 0;
}
