import type { JsonValue } from '../../json/json.js';
import { type Fault, fieldFault } from '../fault.js';
import { checkBoolean, checkIdentifier, checkOptional } from '../field-checks.js';
import { isTimestamp } from '../timestamp.js';
import { checkOneCorrelation } from './correlation.js';
import type { PayloadCheck } from './payload-check.js';

/**
 * `mcpx.delegate.review`: `{ to, until }` delegates the sender's part in reviews, `{ revoke: true }` takes it back
 * (O-34). About one proposal, or about all of them.
 */
export const checkDelegation: PayloadCheck = (message) => {
  const { to, until, revoke } = message.payload;
  const about = message.correlationIds.length === 0 ? undefined : checkOneCorrelation(message);
  const fault = about ?? checkOptional(checkBoolean, 'payload.revoke', revoke);
  if (fault !== undefined || revoke === true) return fault;
  return checkIdentifier('payload.to', to) ?? checkMoment('payload.until', until);
};

/** A point in time: RFC 3339, or milliseconds since 1970. */
function checkMoment(field: string, found: JsonValue | undefined): Fault | undefined {
  const isMoment =
    typeof found === 'string' ? isTimestamp(found) : Number.isSafeInteger(found) && Number(found) > 0;
  return isMoment
    ? undefined
    : fieldFault(
        field,
        found,
        'a moment: RFC 3339, such as 2030-01-31T18:00:00Z, or milliseconds since 1970',
      );
}
