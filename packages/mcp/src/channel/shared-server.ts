import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@proffer/core/json';
import { answeredId, isRequest, notificationOf, objectAt, paramsOf, type RpcId } from '../json-rpc.js';
import type { ChannelEvents, JsonRpcChannel } from './channel.js';

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

/** One server for many clients that do not know of each other: each gets a channel of its own. */
export interface SharedServer {
  connect(): JsonRpcChannel;
  /** Closes the server. */
  close(): Promise<void>;
}

interface Sent {
  readonly client: ChannelEvents;
  readonly id: RpcId;
  readonly token?: RpcId;
  /** Whether it asked for log messages. */
  readonly wantsLog: boolean;
}

/**
 * Shares a channel to a server of a revision without sessions. Requests get new, unguessable ids on the way to the
 * server, and their old ones on the way back. Messages about a request go only to its sender, and only the sender can
 * cancel it. The server is started with the first client, and again with the next one after it ended.
 */
export function createSharedServer(openServer: () => JsonRpcChannel): SharedServer {
  const clients = new Set<ChannelEvents>();
  const sent = new Map<string, Sent>();
  let server: { readonly channel: JsonRpcChannel; readonly ready: Promise<void> } | undefined;

  function start(): { readonly channel: JsonRpcChannel; readonly ready: Promise<void> } {
    const channel = openServer();
    const ready = channel.open({
      onMessage: receive,
      onUnanswered(id, cause) {
        const request = sent.get(String(id));
        sent.delete(String(id));
        request?.client.onUnanswered(request.id, cause);
      },
      onClose(cause) {
        server = undefined;
        sent.clear();
        for (const client of clients) client.onClose(cause);
      },
      onDrain: () => {
        for (const { onDrain } of clients) onDrain();
      },
    });
    ready.catch(() => {
      server = undefined;
    });
    return { channel, ready };
  }

  function receive(message: JsonObject): void {
    const id = answeredId(message);
    if (id !== undefined) {
      const request = sent.get(String(id));
      sent.delete(String(id));
      request?.client.onMessage({ ...message, id: request.id });
      return;
    }
    if (message['method'] === 'notifications/message') {
      // A log message does not say which request it belongs to: only clients that asked for log messages get it.
      const wanting = [...sent.values()].filter(({ wantsLog }) => wantsLog).map(({ client }) => client);
      for (const { onMessage } of new Set(wanting)) onMessage(message);
      return;
    }
    const params = paramsOf(message);
    const meta = objectAt(params, '_meta');
    const { progressToken, requestId } = params;
    const subscription = meta[SUBSCRIPTION_KEY];
    const named = progressToken ?? subscription ?? requestId;
    if (named === undefined) {
      for (const { onMessage } of clients) onMessage(message);
      return;
    }
    const about = typeof named === 'string' ? sent.get(named) : undefined;
    // The addressee is gone, and the message is for nobody else.
    if (about === undefined) return;
    const { client, id: own, token } = about;
    const tell = (renamed: { readonly [key: string]: JsonValue | undefined }): void =>
      client.onMessage({ ...message, params: { ...params, ...renamed } });
    if (progressToken !== undefined) tell({ progressToken: token });
    else if (subscription !== undefined) tell({ _meta: { ...meta, [SUBSCRIPTION_KEY]: own } });
    else tell({ requestId: own });
  }

  function connect(): JsonRpcChannel {
    let own: ChannelEvents | undefined;
    const ids = new Map<RpcId, string>();
    return {
      async open(events) {
        own = events;
        clients.add(events);
        server ??= start();
        await server.ready;
      },
      send(message) {
        if (own === undefined || server === undefined) return true;
        if (isRequest(message)) {
          const { id } = message;
          const renamed = randomUUID();
          const params = paramsOf(message);
          const meta = objectAt(params, '_meta');
          const token = meta['progressToken'];
          const hasToken = typeof token === 'string' || typeof token === 'number';
          ids.set(id, renamed);
          const wantsLog = meta[LOG_LEVEL_KEY] !== undefined;
          sent.set(renamed, { client: own, id, wantsLog, ...(hasToken ? { token } : {}) });
          const renamedParams = hasToken ? { ...params, _meta: { ...meta, progressToken: renamed } } : params;
          return server.channel.send({ ...message, id: renamed, params: renamedParams });
        }
        if (message['method'] !== 'notifications/cancelled') return server.channel.send(message);
        const { requestId } = paramsOf(message);
        const renamed =
          typeof requestId === 'string' || typeof requestId === 'number' ? ids.get(requestId) : undefined;
        if (renamed === undefined) return true;
        return server.channel.send({ ...message, params: { ...paramsOf(message), requestId: renamed } });
      },
      pause() {},
      resume() {},
      async close() {
        if (own !== undefined) clients.delete(own);
        // The requester is gone: without sessions, that cancels a request.
        for (const requestId of ids.values()) {
          if (sent.delete(requestId))
            server?.channel.send(notificationOf('notifications/cancelled', { requestId }));
        }
      },
    };
  }

  return {
    connect,
    async close() {
      await server?.channel.close();
    },
  };
}
