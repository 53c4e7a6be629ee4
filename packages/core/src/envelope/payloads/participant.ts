import type { JsonValue } from '../../json/json.js';
import { checkOptional, type Fault, fieldFault } from '../field-checks.js';
import type { PayloadCheck } from './payload-check.js';

/** The longest pause with an end, in seconds: a year. */
const LONGEST_PAUSE = 365 * 24 * 3_600;

/** `participant.pause`: `{ timeout_seconds?, reason? }` (O-54). */
export const checkParticipantPause: PayloadCheck = ({ payload }) =>
  checkOptional(checkSeconds, 'payload.timeout_seconds', payload['timeout_seconds']);

/** For kinds whose payload may be anything. */
export const checkNothing: PayloadCheck = () => undefined;

function checkSeconds(field: string, found: JsonValue | undefined): Fault | undefined {
  const isTime = typeof found === 'number' && found > 0 && found <= LONGEST_PAUSE;
  return isTime ? undefined : fieldFault(field, found, `a number above 0, at most ${LONGEST_PAUSE}`);
}
