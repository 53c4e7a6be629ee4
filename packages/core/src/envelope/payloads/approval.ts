import { isJsonObject, type JsonValue } from '../../json/json.js';
import { type Fault, fieldFault } from '../fault.js';
import { checkIdentifier, checkIdentifiers, checkObject, checkOptional, checkText } from '../field-checks.js';
import { checkOneCorrelation } from './correlation.js';
import type { PayloadCheck } from './payload-check.js';

/**
 * `mcpx.approve.proposal`: `{ digest, params?, executor?, batch?, seen? }` (O-29, O-35), or `{ revoke: true }` to take
 * it back.
 */
export const checkApproval: PayloadCheck = (message) => {
  const { digest, params, executor, batch, seen, revoke } = message.payload;
  if (revoke === true) return checkOneCorrelation(message);
  return (
    checkOneCorrelation(message) ??
    (digest === undefined
      ? fieldFault('payload.digest', digest, 'the digest of what is approved')
      : checkText('payload.digest', digest)) ??
    checkOptional(checkObject, 'payload.params', params) ??
    checkOptional(checkIdentifier, 'payload.executor', executor) ??
    checkOptional(checkIdentifier, 'payload.batch', batch) ??
    checkOptional(checkSeen, 'payload.seen', seen)
  );
};

/** What the approver was shown: `{ version?, rejectedBy?, executor?, insteadOf?, definition? }`. */
function checkSeen(field: string, seen: JsonValue | undefined): Fault | undefined {
  if (!isJsonObject(seen)) return checkObject(field, seen);
  const { version, executor, insteadOf, definition, rejectedBy } = seen;
  if (version !== undefined && (!Number.isSafeInteger(version) || Number(version) < 1))
    return fieldFault(
      `${field}.version`,
      version,
      'the version of the proposal, a whole number of at least 1',
    );
  return (
    checkOptional(checkIdentifier, `${field}.executor`, executor) ??
    checkOptional(checkIdentifier, `${field}.insteadOf`, insteadOf) ??
    checkOptional(checkText, `${field}.definition`, definition) ??
    checkOptional(checkNames, `${field}.rejectedBy`, rejectedBy)
  );
}

function checkNames(field: string, names: JsonValue | undefined): Fault | undefined {
  return checkIdentifiers(field, names, { least: 0, called: 'names' });
}
