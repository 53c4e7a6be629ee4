import type { JsonValue } from '../../json/json.js';
import { checkOptional, type Fault, fieldFault } from '../field-checks.js';
import { isParticipantName } from '../name.js';
import { checkCapabilities, checkTime, checkTtl } from './grant.js';
import { checkReason } from './lifecycle.js';
import type { PayloadCheck } from './payload-check.js';

/**
 * `mcpx.invite.participant`: `{ participant, capabilities, until? | ttl?, reason? }` (O-51). Without `capabilities` it can
 * only let a participant of the configuration in again.
 */
export const checkInvitation: PayloadCheck = ({ payload }) =>
  checkParticipant('payload.participant', payload['participant']) ??
  checkOptional(checkCapabilities, 'payload.capabilities', payload['capabilities']) ??
  checkOptional(checkTime, 'payload.until', payload['until']) ??
  checkOptional(checkTtl(payload), 'payload.ttl', payload['ttl']) ??
  checkOptional(checkReason, 'payload.reason', payload['reason']);

/** `mcpx.kick.participant`: `{ participant, reason? }` (O-52). */
export const checkKick: PayloadCheck = ({ payload }) =>
  checkParticipant('payload.participant', payload['participant']) ??
  checkOptional(checkReason, 'payload.reason', payload['reason']);

/** A name that a participant may have. */
export function checkParticipant(field: string, found: JsonValue | undefined): Fault | undefined {
  return isParticipantName(found) ? undefined : fieldFault(field, found, 'the name of a participant');
}
