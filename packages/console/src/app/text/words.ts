/** A duration in one or two units: `12 s`, `4 min`, `3 h`, `2 days`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}

/** The time between two steps, in milliseconds if it is short: `340 ms`, `4.7 s`, `3 min`. */
export function span(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, milliseconds)} ms`;
  return milliseconds < 60_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : duration(milliseconds);
}

/** Time left, in seconds if it is short: `1:42`. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  if (seconds >= 600) return duration(milliseconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A moment as seen from now: `4 min ago`, `in 3 h`. */
export function relative(moment: number, now: number): string {
  return moment > now ? `in ${duration(moment - now)}` : `${duration(now - moment)} ago`;
}

/** The time of day, in the reader's locale. */
export function timeOfDay(moment: number): string {
  return new Date(moment).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

/** A moment inside a sentence: the time of day, with the date if that is not today's. */
export function momentOf(moment: number, now: number): string {
  const isToday = new Date(moment).toDateString() === new Date(now).toDateString();
  return isToday ? timeOfDay(moment) : dayAndTime(moment);
}

/** Date and time, in the reader's locale. */
export function dayAndTime(moment: number): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** `1 call`, `7 calls`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listOf(names: readonly string[], and = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`;
}

/** The start and end of a digest: enough to compare by eye with another screen. */
export function shortDigest(digest: string): string {
  const hex = digest.replace(/^sha256:/, '');
  return `${hex.slice(0, 8)}…${hex.slice(-4)}`;
}
