import { randomUUID } from 'node:crypto';
import { type Participant, type ProposalFulfilment, RefusedError } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { NOT_RUN_KEY } from '@proffer/core/operations';

/** The recorded result of a call. */
export type Answer =
  | { readonly result: JsonObject }
  /** The tool failed; with its message. */
  | { readonly failed: string }
  /** Nothing was run. */
  | { readonly notRun: string }
  /** It is unknown whether it ran (O-23). */
  | { readonly unknown: string };

/** JSON-RPC: internal error. */
const INTERNAL_ERROR = -32_603;

export const NOBODY_WAITS = 'Nothing was run: the agent no longer waits for this call.';

/**
 * Claims an approved call, to run it or to give it up. True for exactly one claim among all
 * processes: the journal accepts its id once, and every claim has different content (O-3). False if
 * another was first, or the call has ended.
 */
export async function claim(
  participant: Participant,
  proposal: string,
  to: 'run' | 'give up',
): Promise<boolean> {
  try {
    const what = to === 'run' ? 'Started' : 'Given up';
    const message = `${what} by ${participant.name} (process ${process.pid}, claim ${randomUUID()}).`;
    const receipt = await participant.status(proposal, 'processing', { id: `${proposal}-began`, message });
    return receipt.status === 'accepted';
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'id_conflict') return false;
    throw error;
  }
}

/** Answers the request that fulfilled a proposal. */
export async function answerRequest(
  participant: Participant,
  { by, request }: Pick<ProposalFulfilment, 'by' | 'request'>,
  answer: Answer,
): Promise<void> {
  await participant.send({
    kind: 'mcp.response.tools/call',
    to: [by],
    correlationId: request,
    payload: { jsonrpc: '2.0', id: request, ...said(answer) },
  });
}

function said(answer: Answer): JsonObject {
  if ('result' in answer) return { result: answer.result };
  if ('unknown' in answer)
    return { error: { code: INTERNAL_ERROR, message: answer.unknown, data: { outcome: 'unknown' } } };
  if ('failed' in answer) return { error: { code: INTERNAL_ERROR, message: answer.failed } };
  const data = { [NOT_RUN_KEY]: { outcome: 'withdrawn', reason: answer.notRun } };
  return { error: { code: INTERNAL_ERROR, message: answer.notRun, data } };
}
