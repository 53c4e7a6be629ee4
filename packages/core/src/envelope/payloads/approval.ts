import { fieldFault } from '../fault.js';
import { checkIdentifier, checkObject, checkOptional, checkText } from '../field-checks.js';
import { checkOneCorrelation } from './correlation.js';
import type { PayloadCheck } from './payload-check.js';

/** `mcpx.approve.proposal`: `{ digest, params?, executor? }` (O-29). */
export const checkApproval: PayloadCheck = (message) => {
  const { digest, params, executor } = message.payload;
  return (
    checkOneCorrelation(message) ??
    (digest === undefined
      ? fieldFault('payload.digest', digest, 'the digest of what is approved')
      : checkText('payload.digest', digest)) ??
    checkOptional(checkObject, 'payload.params', params) ??
    checkOptional(checkIdentifier, 'payload.executor', executor)
  );
};
