import type { ServerResponse } from 'node:http';
import type { RpcId } from '../json-rpc.js';

/** What a refusal says beside its status and message. */
export interface RefusalDetails {
  /** The code of JSON-RPC. Default -32000. */
  readonly code?: number;
  readonly data?: unknown;
  /** The request that is refused, if its id could be read. */
  readonly id?: RpcId | undefined;
}

/** Answers a request with an error of JSON-RPC and a status of HTTP. */
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

/** Sends the headers of a stream of events at once, in a way that nothing in between holds back. */
export function openStream(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
}
