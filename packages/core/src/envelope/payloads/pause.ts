import { checkOptional } from '../field-checks.js';
import { checkReason } from './lifecycle.js';
import type { PayloadCheck } from './payload-check.js';

/** `mcpx.pause.approvals` and `mcpx.resume.approvals`: `{ reason? }`, for a whole space. */
export const checkPause: PayloadCheck = ({ payload }) =>
  checkOptional(checkReason, 'payload.reason', payload['reason']);
