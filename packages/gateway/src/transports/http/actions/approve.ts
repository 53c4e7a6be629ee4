import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { offeredParams } from '@proffer/core/operations';
import { refuseUnseen } from '../spaces/seen-proposal.js';
import type { About, Draft } from './action.js';

/**
 * The request that fulfils the proposal (O-11), with the digest that its sender was shown: core runs what has
 * that digest, or nothing. The kind names the proposed tool, so that a request for another one is refused and
 * never runs without a proposal (O-6).
 */
export async function composeApproval(
  { digest, params, executor, batch, seen }: JsonObject,
  { id, proposal: find }: About,
): Promise<Draft | Refusal> {
  const proposal = await find();
  if (proposal === undefined) return refuseUnseen(id);
  const { method, subject } = proposal;
  const runs = params ?? offeredParams(proposal, digest);
  return {
    kind: `mcp.request.${method}${subject === undefined ? '' : `:${subject.name}`}`,
    correlationId: id,
    ...(executor === undefined ? {} : { to: [executor as string] }),
    payload: {
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id: 1 }),
      method,
      ...(runs === undefined ? {} : { params: runs }),
      digest,
      ...(batch === undefined ? {} : { batch }),
      ...(seen === undefined ? {} : { seen }),
    },
  };
}
