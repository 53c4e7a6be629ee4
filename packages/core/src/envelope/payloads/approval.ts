import { isJsonObject, type JsonValue } from '../../json/json.js';
import {
  checkBoolean,
  checkIdentifier,
  checkIdentifiers,
  checkObject,
  checkOptional,
  checkText,
  type Fault,
  fieldFault,
} from '../field-checks.js';
import { isTimestamp } from '../timestamp.js';
import { checkSignature } from './keys.js';
import { checkReason } from './lifecycle.js';
import { checkOneCorrelation, type PayloadCheck } from './payload-check.js';

/**
 * `mcpx.approve.proposal`: `{ digest, params?, executor?, batch?, seen?, signature? }` (O-29, O-35, O-49), or
 * `{ revoke: true }` to take it back.
 */
export const checkApproval: PayloadCheck = (message) => {
  const { digest, params, executor, batch, seen, signature, revoke } = message.payload;
  if (revoke === true) return checkOneCorrelation(message);
  return (
    checkOneCorrelation(message) ??
    (digest === undefined
      ? fieldFault('payload.digest', digest, 'the digest of what is approved')
      : checkText('payload.digest', digest)) ??
    checkOptional(checkObject, 'payload.params', params) ??
    checkOptional(checkIdentifier, 'payload.executor', executor) ??
    checkOptional(checkIdentifier, 'payload.batch', batch) ??
    checkOptional(checkSeen, 'payload.seen', seen) ??
    checkOptional(checkSignature, 'payload.signature', signature)
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

/** `mcpx.counter.proposal`: `{ params, reason, executor? }`, about a proposal or a counter-offer (O-40). */
export const checkCounter: PayloadCheck = (message) =>
  checkOneCorrelation(message) ??
  checkObject('payload.params', message.payload['params']) ??
  checkReason('payload.reason', message.payload['reason']) ??
  checkOptional(checkIdentifier, 'payload.executor', message.payload['executor']);

/** `mcpx.accept.counter`: `{ digest? }`, about one counter-offer (O-40). */
export const checkAcceptance: PayloadCheck = (message) =>
  checkOneCorrelation(message) ?? checkOptional(checkText, 'payload.digest', message.payload['digest']);

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

/** `mcpx.pause.approvals` and `mcpx.resume.approvals`: `{ reason? }`, for a whole space. */
export const checkPause: PayloadCheck = ({ payload }) =>
  checkOptional(checkReason, 'payload.reason', payload['reason']);
