import type { JsonValue } from '../../json/json.js';
import {
  checkDuration,
  checkFilledText,
  checkOptional,
  checkText,
  checkWord,
  type Fault,
  fieldFault,
} from '../field-checks.js';
import { codePoints } from '../name.js';
import { checkOneCorrelation, checkSomeCorrelation, type PayloadCheck } from './payload-check.js';

const LONGEST_REASON = 1000;

/** What a participant may report about a proposal; `revealed` also after its end: someone looked at hidden values. */
export const PROPOSAL_STATUSES = ['considering', 'queued', 'processing', 'unable', 'revealed'] as const;

export type LifecycleStatus = (typeof PROPOSAL_STATUSES)[number];

/** States of a proposal that result automatically, and how. */
const STATES: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['withdrawn', 'Withdraw a proposal with mcpx.withdraw.proposal (or proposal/withdraw), not with a status.'],
  ['expired', 'The gateway itself says when a proposal has expired.'],
  [
    'pending',
    'A proposal is pending until it is fulfilled, withdrawn or expired; this status is not needed.',
  ],
]);

/** `mcpx.withdraw.proposal`: `{ reason? }`, about one proposal or several. */
export const checkWithdrawal: PayloadCheck = (message) =>
  checkSomeCorrelation(message) ?? checkOptional(checkText, 'payload.reason', message.payload['reason']);

/** `mcpx.renew.proposal`: `{ ttl }` (O-36). */
export const checkRenewal: PayloadCheck = (message) =>
  checkOneCorrelation(message) ?? checkDuration('payload.ttl', message.payload['ttl']);

/** `mcpx.reject.proposal`: `{ reason, message? }`; a reason of 1 to 1000 characters (O-17), one proposal or several. */
export const checkRejection: PayloadCheck = (message) =>
  checkSomeCorrelation(message) ??
  checkReason('payload.reason', message.payload['reason']) ??
  checkOptional(checkText, 'payload.message', message.payload['message']);

/**
 * `mcpx.status.proposal`: `{ status, message?, progress?, total? }`; progress as in MCP (O-42), one proposal or several
 * (O-35).
 */
export const checkStatus: PayloadCheck = (message) =>
  checkSomeCorrelation(message) ??
  checkStatusWord('payload.status', message.payload['status']) ??
  checkOptional(checkCount, 'payload.progress', message.payload['progress']) ??
  checkOptional(checkCount, 'payload.total', message.payload['total']) ??
  checkOptional(checkText, 'payload.message', message.payload['message']);

function checkCount(field: string, found: JsonValue | undefined): Fault | undefined {
  return typeof found === 'number' && found >= 0
    ? undefined
    : fieldFault(field, found, 'a number of 0 or more');
}

/** Text of 1 to 1000 characters. */
export function checkReason(field: string, reason: JsonValue | undefined): Fault | undefined {
  if (typeof reason !== 'string' || reason === '') return checkFilledText(field, reason);
  return codePoints(reason) <= LONGEST_REASON
    ? undefined
    : fieldFault(field, reason, `at most ${LONGEST_REASON} characters`);
}

function checkStatusWord(field: string, status: JsonValue | undefined): Fault | undefined {
  const fault = checkWord(field, status, PROPOSAL_STATUSES);
  const hint = STATES.get(status);
  return fault === undefined || hint === undefined ? fault : { ...fault, hint };
}
