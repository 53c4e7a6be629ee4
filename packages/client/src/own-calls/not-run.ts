import { isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import { NOT_RUN_KEY } from '@proffer/core/operations';
import type { Receipt } from '../connection/message.js';
import { OperationFailedError } from '../errors.js';
import type { Participant } from '../participant.js';
import { errorOf, INTERNAL_ERROR } from '../serving/responses.js';
import type { CallAnswer } from './caller.js';
import type { OwnCallOutcome } from './outcome.js';

/** JSON-RPC: invalid params. */
const INVALID_PARAMS = -32_602;

/**
 * The answer to an approval that ran nothing: its data says so, and the call can be made again.
 *
 * @param text - for the approver
 * @param reason - why, for the record
 */
export function notRunError(text: string, reason: string = text): OperationFailedError {
  return withReason(text, { outcome: 'withdrawn', reason });
}

/**
 * Someone approved a call that has finished, or whose result nobody would get.
 *
 * @param reason - why that is, as the end of a sentence
 */
export function nobodyWaits(reason: string): OperationFailedError {
  return notRunError(`Nothing was run: nobody is waiting for this call any longer (${reason}).`, reason);
}

/** Someone approved a call with changed arguments that the rules do not allow. */
export function changeDenied(reason: string): OperationFailedError {
  const text = `Nothing was run: the rules do not allow the changed call. ${reason}`;
  return withReason(text, { outcome: 'denied', reason });
}

/**
 * The answer to an approval if nobody can know whether the call ran: the gateway then declares the outcome unknown at
 * once (O-23). A plain error would say that it ended, and invite a retry.
 */
export function outcomeLost(text: string): OperationFailedError {
  return new OperationFailedError(INTERNAL_ERROR, text, { outcome: 'unknown' });
}

/**
 * The JSON-RPC error in an answer of a server, as something to throw. It cannot claim in our name that nothing was run.
 */
export function errorToThrow({ code, message, data }: JsonObject): OperationFailedError {
  const text = typeof message === 'string' ? message : 'The server answered with an error.';
  return new OperationFailedError(
    typeof code === 'number' ? code : INTERNAL_ERROR,
    text,
    isJsonObject(data) ? withoutNotRun(data) : data,
  );
}

/** Why an error says that nothing was run; `undefined` if it does not say that. */
export function reasonNotRun(error: unknown): string | undefined {
  const { reason } = error instanceof OperationFailedError ? notRunData(error.data) : {};
  return typeof reason === 'string' ? reason : undefined;
}

/** The outcome of a call that was answered with one of our errors; `undefined` if the answer is the server's. */
export function notRunIn(answer: CallAnswer): OwnCallOutcome | undefined {
  const { outcome, reason } = 'error' in answer ? notRunData(answer.error['data']) : {};
  const isOurs = outcome === 'withdrawn' || outcome === 'denied';
  return isOurs && typeof reason === 'string' ? { type: outcome, reason } : undefined;
}

function withReason(text: string, why: JsonObject): OperationFailedError {
  return new OperationFailedError(INVALID_PARAMS, text, { [NOT_RUN_KEY]: why });
}

function notRunData(data: unknown): JsonObject {
  return objectOf(objectOf(data)[NOT_RUN_KEY]);
}

function withoutNotRun(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== NOT_RUN_KEY));
}

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
