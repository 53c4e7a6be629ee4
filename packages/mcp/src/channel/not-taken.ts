import { SdkHttpError } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '@proffer/core';
import type { RpcId } from '../json-rpc.js';

/** A request that its server did not take: it refused it, or could not be reached. Nothing was done about it. */
export class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}

/** What Node says when no request has left this machine. */
const NOT_REACHED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** What a failure to send a request over HTTP means, in words; a {@link NotTakenError} where it is certain. */
export function readSendFailure(error: unknown, { origin }: URL): Error {
  if (error instanceof SdkHttpError) {
    const { status } = error;
    const text = `${origin} answered with HTTP status ${status}.`;
    // 408, and all from 500 on, may come after something was done.
    const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 408;
    return isRefused ? new NotTakenError(text, { cause: error }) : new Error(text, { cause: error });
  }
  if (!(error instanceof Error)) return new Error(String(error));
  const { cause } = error;
  if (!(cause instanceof Error)) return error;
  const code = 'code' in cause ? cause.code : undefined;
  if (NOT_REACHED.has(code))
    return new NotTakenError(`${origin} cannot be reached (${String(code)}).`, { cause: error });
  return new Error(`${origin} did not answer: ${cause.message}.`, { cause: error });
}

/** The error of JSON-RPC with which a server has refused a request together with an HTTP status; nothing if it has not. */
export function answerInFailure(error: unknown, id: RpcId): JsonObject | undefined {
  if (!(error instanceof SdkHttpError)) return undefined;
  try {
    const answer: unknown = JSON.parse(String(error.data.text));
    return isJsonObject(answer) && answer['id'] === id && isJsonObject(answer['error']) ? answer : undefined;
  } catch {
    return undefined;
  }
}
