import type { JsonObject } from '@proffer/core/json';
import type { Receipt } from '../connection/message.js';
import type { Participant } from '../participant.js';
import { errorOf } from '../serving/responses.js';
import type { CallAnswer } from './caller.js';

/** The request that approved an own call. */
export interface ApprovingRequest {
  readonly request: string;
  /** Who made it. */
  readonly by: string;
  /** The proposal, for an answer that may come much later: by then, only the proposal may still be known. */
  readonly proposal?: string;
  /** Default `tools/call`. */
  readonly method?: string;
}

/**
 * Answers the request that approved an own call, and so reports its outcome (O-46); settles when that is in the
 * journal.
 */
export function answerApproval(
  participant: Pick<Participant, 'send'>,
  { request, by, proposal, method = 'tools/call' }: ApprovingRequest,
  answer: CallAnswer | Error,
): Promise<Receipt> {
  const said: JsonObject = answer instanceof Error ? { error: errorOf(answer) } : answer;
  return participant.send({
    kind: `mcp.response.${method}`,
    to: [by],
    correlationId: proposal === undefined ? request : [request, proposal],
    payload: { jsonrpc: '2.0', id: request, ...said },
  });
}
