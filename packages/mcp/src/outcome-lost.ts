import { OperationFailedError } from '@proffer/client/participation';
import { INTERNAL_ERROR } from './json-rpc.js';

/**
 * The error a tool of ours throws when the server running it is gone: the gateway then declares the outcome
 * unknown at once (O-23). A plain error would say that it ended, and invite a retry.
 */
export function outcomeLost(text: string): OperationFailedError {
  return new OperationFailedError(INTERNAL_ERROR, text, { outcome: 'unknown' });
}
