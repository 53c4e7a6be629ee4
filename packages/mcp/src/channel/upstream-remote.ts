import { type JSONRPCMessage, SSEClientTransport, SseError } from '@modelcontextprotocol/client';
import type { JsonObject } from '@proffer/core/json';
import { answeredId, isRequest, paramsOf, type RpcId } from '../json-rpc.js';
import type { ChannelEvents, JsonRpcChannel } from './channel.js';
import { fetchWith } from './forwarded-credential.js';
import { httpStatusOf, NotTakenError } from './not-taken.js';
import { readSendFailure } from './send-failure.js';
import { createUpstreamHttp, type HttpUpstream } from './upstream-http.js';

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

/**
 * A server over HTTP+SSE, the transport of 2024-11-05: one stream carries everything that the server sends.
 * When the stream breaks, the session has ended. Pending requests stay unanswered, and no more are accepted.
 */
function createUpstreamSse({ url, headers = {}, credential }: HttpUpstream): JsonRpcChannel {
  const transport = new SSEClientTransport(url, {
    requestInit: { headers },
    ...(credential === undefined ? {} : { fetch: fetchWith(credential) }),
  });
  const open = new Set<RpcId>();
  let standing: 'opening' | 'open' | 'broken' | 'closed' = 'opening';
  let told: ChannelEvents | undefined;

  function lose(id: RpcId, cause: Error): void {
    if (open.delete(id)) told?.onUnanswered(id, cause);
  }

  /** The library would open another stream: a session that was never initialized. */
  function breakOff(): void {
    if (standing !== 'open') return;
    standing = 'broken';
    void transport.close();
    const cause = new Error(`${url.origin} ended its stream before it had answered.`);
    for (const id of open) lose(id, cause);
    told?.onFault?.();
  }

  return {
    async open(events) {
      told = events;
      Object.assign(transport, {
        onmessage(message: JSONRPCMessage) {
          const plain = message as unknown as JsonObject;
          const id = answeredId(plain);
          if (id !== undefined) open.delete(id);
          events.onMessage(plain);
        },
        // Errors while sending are reported for the message that was sent.
        onerror(error: unknown) {
          if (error instanceof SseError) breakOff();
        },
      });
      await transport.start();
      standing = 'open';
    },
    send(message) {
      if (standing === 'closed') return true;
      const id = isRequest(message) ? message.id : undefined;
      if (id !== undefined) open.add(id);
      const { requestId } = message['method'] === 'notifications/cancelled' ? paramsOf(message) : {};
      if (typeof requestId === 'string' || typeof requestId === 'number') open.delete(requestId);
      const posted =
        standing === 'open'
          ? transport.send(message as unknown as JSONRPCMessage)
          : Promise.reject(new NotTakenError(`${url.origin} has ended its stream.`));
      posted.catch((error: unknown) => {
        if (id === undefined) return;
        const cause =
          error instanceof NotTakenError ? error : readSendFailure(error, { url, hasSession: true });
        lose(id, cause);
      });
      return true;
    },
    pause() {},
    resume() {},
    async close() {
      standing = 'closed';
      await transport.close();
    },
  };
}
