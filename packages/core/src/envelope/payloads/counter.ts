import { checkIdentifier, checkObject, checkOptional, checkText } from '../field-checks.js';
import { checkOneCorrelation } from './correlation.js';
import { checkReason } from './lifecycle.js';
import type { PayloadCheck } from './payload-check.js';

/** `mcpx.counter.proposal`: `{ params, reason, executor? }`, about a proposal or a counter-offer (O-40). */
export const checkCounter: PayloadCheck = (message) =>
  checkOneCorrelation(message) ??
  checkObject('payload.params', message.payload['params']) ??
  checkReason('payload.reason', message.payload['reason']) ??
  checkOptional(checkIdentifier, 'payload.executor', message.payload['executor']);

/** `mcpx.accept.counter`: `{ digest? }`, about one counter-offer (O-40). */
export const checkAcceptance: PayloadCheck = (message) =>
  checkOneCorrelation(message) ?? checkOptional(checkText, 'payload.digest', message.payload['digest']);
