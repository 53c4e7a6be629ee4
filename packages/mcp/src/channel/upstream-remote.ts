import type { JsonObject } from '@proffer/core/json';
import type { RpcId } from '../json-rpc.js';
import type { ChannelEvents, JsonRpcChannel } from './channel.js';
import { httpStatusOf } from './send-failure.js';
import { createUpstreamHttp, type HttpUpstream } from './upstream-http.js';
import { createUpstreamSse } from './upstream-sse.js';

/** Possible answers of a 2024-11-05 server to a POST at its stream's address. */
const NOT_STREAMABLE: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/**
 * A server at an address: over Streamable HTTP, and if it does not accept `initialize` that way, over
 * HTTP+SSE (2024-11-05), as MCP's compatibility rules say.
 */
export function createUpstreamRemote(server: HttpUpstream): JsonRpcChannel {
  let current = createUpstreamHttp(server);
  let initialize: (JsonObject & { readonly id: RpcId }) | undefined;
  /** Messages that arrived while the other transport was tried. */
  let waiting: JsonObject[] | undefined;
  let isClosed = false;

  async function fallBack(events: ChannelEvents, first: JsonObject & { readonly id: RpcId }, cause: Error) {
    waiting = [];
    const older = createUpstreamSse(server);
    try {
      await older.open(events);
    } catch {
      await older.close();
      waiting = undefined;
      // The server's first answer is more informative than the missing stream.
      events.onUnanswered(first.id, cause);
      return;
    }
    const newer = current;
    current = older;
    await newer.close();
    if (isClosed) return await older.close();
    const messages = [first, ...waiting];
    waiting = undefined;
    for (const message of messages) older.send(message);
  }

  return {
    async open(events) {
      await current.open({
        ...events,
        onUnanswered(id, cause) {
          const first = initialize;
          const isRefused = NOT_STREAMABLE.has(httpStatusOf(cause));
          if (first?.id !== id || !isRefused) return events.onUnanswered(id, cause);
          initialize = undefined;
          void fallBack(events, first, cause);
        },
        onClose(cause) {
          if (waiting === undefined) events.onClose(cause);
        },
      });
    },
    send(message, text) {
      const { id } = message;
      if (message['method'] === 'initialize' && (typeof id === 'string' || typeof id === 'number'))
        initialize = { ...message, id };
      if (waiting === undefined) return current.send(message, text);
      waiting.push(message);
      return true;
    },
    pause: () => current.pause(),
    resume: () => current.resume(),
    async close() {
      isClosed = true;
      await current.close();
    },
  };
}
