import type { Field } from '../read/field.js';
import { scalar } from '../read/scalar.js';

/** A time of day at which someone does not want to be disturbed, in a time zone. */
export interface QuietHours {
  /** Minutes since midnight. `from` after `to`: over midnight. */
  readonly from: number;
  readonly to: number;
  /** An IANA name such as `Europe/Berlin`. */
  readonly zone: string;
}

const EXPECTED = 'hours such as 22:00-07:00, followed by a time zone such as Europe/Berlin (default UTC)';

/** Hours of the day, such as `22:00-07:00 Europe/Berlin`. */
export function quietHours(): Field<QuietHours> {
  return scalar((found) => {
    const value = parseQuietHours(found);
    return value === undefined ? { expected: EXPECTED } : { value };
  }, EXPECTED);
}

function parseQuietHours(text: string): QuietHours | undefined {
  const found = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})(?: +(\S+))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [hour = 0, minute = 0, untilHour = 0, untilMinute = 0] = found.slice(1, 5).map(Number);
  if (hour > 23 || untilHour > 23 || minute > 59 || untilMinute > 59) return undefined;
  const zone = found[5] ?? 'UTC';
  const quiet = { from: hour * 60 + minute, to: untilHour * 60 + untilMinute, zone };
  return quiet.from === quiet.to || !isZone(zone) ? undefined : quiet;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
