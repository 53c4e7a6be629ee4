import type { ServerResponse } from 'node:http';
import { hasLeft } from '../channel/client-stdio.js';
import type { RpcId } from '../json-rpc.js';

/** What a refusal contains besides its status and message. */
export interface RefusalDetails {
  /** The JSON-RPC code. Default: -32000. */
  readonly code?: number;
  readonly data?: unknown;
  /** The refused request, if its id could be read. */
  readonly id?: RpcId | undefined;
}

/** Answers a request with a JSON-RPC error and an HTTP status. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  { code = -32_000, data, id }: RefusalDetails = {},
): void {
  answerJson(response, status, { jsonrpc: '2.0', error: { code, message, data }, id: id ?? null });
}

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Sends the headers of an event stream at once, so that no intermediary buffers them. */
export function openStream(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
}

/**
 * Resolves with whether a response has left this process completely, in the sense of {@link hasLeft}; false
 * as soon as its connection breaks before that.
 */
export function responseLeft(response: ServerResponse): Promise<boolean> {
  const { socket } = response;
  if (socket === null || response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    // What was discarded with the connection counts as finished too.
    response.once('finish', () => resolve(!socket.destroyed && hasLeft(socket)));
    response.once('close', () => resolve(false));
  });
}
