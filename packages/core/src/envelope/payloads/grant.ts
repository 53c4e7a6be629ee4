import { isJsonArray, type JsonObject, type JsonValue } from '../../json/json.js';
import { checkDuration, checkIdentifier, checkOptional, type Fault, fieldFault } from '../field-checks.js';
import { isTimestamp } from '../timestamp.js';
import { checkReason } from './lifecycle.js';
import { checkOneCorrelation, type PayloadCheck } from './payload-check.js';

const MAX_CAPABILITIES = 32;
const MAX_USES = 1_000_000;
/** The same limit as for the session in a proposal's `origin`. */
const LONGEST_SESSION = 200;

/**
 * `mcpx.grant.capability`: `{ to, capabilities, until? | ttl?, uses?, session?, reason? }` (O-41).
 * Capabilities are written as in a configuration; they are validated when the message is decided.
 * `session` is true for as long as the participant is connected, or the session that proposals name
 * in `origin`.
 */
export const checkGrant: PayloadCheck = ({ payload }) =>
  checkIdentifier('payload.to', payload['to']) ??
  checkCapabilities('payload.capabilities', payload['capabilities']) ??
  checkOptional(checkTime, 'payload.until', payload['until']) ??
  checkOptional(checkTtl(payload), 'payload.ttl', payload['ttl']) ??
  checkOptional(checkUses, 'payload.uses', payload['uses']) ??
  checkOptional(checkSession, 'payload.session', payload['session']) ??
  checkOptional(checkReason, 'payload.reason', payload['reason']);

/** `mcpx.revoke.capability`: `{ reason? }` about one grant, or `{ to, capabilities, reason? }` (O-41). */
export const checkRevocation: PayloadCheck = (message) =>
  checkRevoked(message) ?? checkOptional(checkReason, 'payload.reason', message.payload['reason']);

const checkRevoked: PayloadCheck = (message) => {
  const { to, capabilities } = message.payload;
  if (to === undefined || capabilities === undefined || message.correlationIds.length > 0)
    return checkOneCorrelation(message);
  return checkIdentifier('payload.to', to) ?? checkCapabilities('payload.capabilities', capabilities);
};

export function checkCapabilities(field: string, found: JsonValue | undefined): Fault | undefined {
  const isList = isJsonArray(found) && found.length > 0 && found.length <= MAX_CAPABILITIES;
  return isList ? undefined : fieldFault(field, found, `an array of 1 to ${MAX_CAPABILITIES} capabilities`);
}

export const checkTtl =
  ({ until }: JsonObject) =>
  (field: string, ttl: JsonValue | undefined): Fault | undefined =>
    until === undefined ? checkDuration(field, ttl) : fieldFault(field, ttl, 'either `ttl` or `until`');

export function checkTime(field: string, found: JsonValue | undefined): Fault | undefined {
  const isTime = typeof found === 'string' ? isTimestamp(found) : Number.isSafeInteger(found);
  return isTime ? undefined : fieldFault(field, found, 'an RFC 3339 time, or milliseconds since 1970');
}

function checkSession(field: string, found: JsonValue | undefined): Fault | undefined {
  const isName = typeof found === 'string' && found !== '' && found.length <= LONGEST_SESSION;
  return isName || typeof found === 'boolean'
    ? undefined
    : fieldFault(field, found, `true or false, or a session of 1 to ${LONGEST_SESSION} characters`);
}

function checkUses(field: string, found: JsonValue | undefined): Fault | undefined {
  const isCount = Number.isSafeInteger(found) && Number(found) > 0 && Number(found) <= MAX_USES;
  return isCount ? undefined : fieldFault(field, found, `a whole number from 1 to ${MAX_USES}`);
}
