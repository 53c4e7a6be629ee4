const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|(?<sign>[+-])(\d\d):(\d\d))$/;
const LONGEST = 64;
const MINUTE = 60_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a text is an RFC 3339 date-time of at most 64 characters: an existing day, a time with an
 * offset, seconds with or without a fraction. A 60th second only where one is possible: at the end of
 * a month in UTC.
 */
export function isTimestamp(text: string): boolean {
  if (isUsualTimestamp(text)) return true;
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

/** 0 for an invalid month, so that no day is in it. */
function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

function isStartOfMonth(milliseconds: number): boolean {
  const date = new Date(milliseconds);
  return date.getUTCDate() === 1 && date.getUTCHours() === 0 && date.getUTCMinutes() === 0;
}

/** Whether a text has the usual form of a time, on one of the days that every month has. */
function isUsualTimestamp(text: string): boolean {
  if (text.length !== USUAL.length) return false;
  for (let index = 0; index < USUAL.length; index++) {
    const code = text.charCodeAt(index);
    const limit = USUAL.charCodeAt(index);
    const isRight = limit >= ZERO && limit <= NINE ? code >= ZERO && code <= limit : code === limit;
    if (!isRight) return false;
  }
  const [month, day, hour] = [twoDigits(text, 5), twoDigits(text, 8), twoDigits(text, 11)];
  return month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour <= 23;
}

function twoDigits(text: string, start: number): number {
  return (text.charCodeAt(start) - ZERO) * 10 + text.charCodeAt(start + 1) - ZERO;
}

/** Each digit is the greatest possible. */
const USUAL = '9999-19-29T29:59:59.999Z';
const ZERO = 0x30;
const NINE = 0x39;
