import type { JsonObject } from '@proffer/core';
import {
  answeredId,
  isRequest,
  notificationOf,
  objectAt,
  paramsOf,
  type RpcId,
  textAt,
} from '../json-rpc.js';
import type { Channel, ChannelEvents } from './channel.js';

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

/** One server for many clients that know nothing of one another: each gets a lane. */
export interface Lanes {
  lane(): Channel;
  /** Ends the server. */
  close(): Promise<void>;
}

interface Sent {
  readonly lane: ChannelEvents;
  readonly id: RpcId;
  readonly token?: RpcId;
  /** Whether it asked for what the server logs. */
  readonly wantsLog: boolean;
}

/**
 * Shares a channel to a server of a revision without sessions. Requests get ids of their own on their way
 * there, and back their old ones. The server is started with the first lane, and anew with the next one
 * after it ended.
 */
export function createLanes(openServer: () => Channel): Lanes {
  const lanes = new Set<ChannelEvents>();
  const sent = new Map<string, Sent>();
  let server: { readonly channel: Channel; readonly ready: Promise<void> } | undefined;
  let count = 0;

  function start(): { readonly channel: Channel; readonly ready: Promise<void> } {
    const channel = openServer();
    const ready = channel.open({
      onMessage: receive,
      onUnanswered(id, cause) {
        const request = sent.get(String(id));
        sent.delete(String(id));
        request?.lane.onUnanswered(request.id, cause);
      },
      onClose(cause) {
        server = undefined;
        sent.clear();
        for (const lane of lanes) lane.onClose(cause);
      },
      onDrain: () => {
        for (const { onDrain } of lanes) onDrain();
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
      request?.lane.onMessage({ ...message, id: request.id });
      return;
    }
    const params = paramsOf(message);
    const meta = objectAt(params, '_meta');
    const { progressToken } = params;
    const subscription = meta[SUBSCRIPTION_KEY];
    const about = sent.get(textAt({ about: progressToken ?? subscription }, 'about'));
    if (message['method'] === 'notifications/message') {
      // It does not say which request it belongs to: only who asked for such things gets it.
      const wanting = [...sent.values()].filter(({ wantsLog }) => wantsLog).map(({ lane }) => lane);
      for (const { onMessage } of new Set(wanting)) onMessage(message);
    } else if (about === undefined) {
      for (const { onMessage } of lanes) onMessage(message);
    } else if (progressToken !== undefined) {
      about.lane.onMessage({ ...message, params: { ...params, progressToken: about.token } });
    } else {
      about.lane.onMessage({
        ...message,
        params: { ...params, _meta: { ...meta, [SUBSCRIPTION_KEY]: about.id } },
      });
    }
  }

  function lane(): Channel {
    let own: ChannelEvents | undefined;
    const ids = new Map<RpcId, string>();
    return {
      async open(events) {
        own = events;
        lanes.add(events);
        server ??= start();
        await server.ready;
      },
      send(message) {
        if (own === undefined || server === undefined) return true;
        if (isRequest(message)) {
          const { id } = message;
          const renamed = `lane-${++count}`;
          const params = paramsOf(message);
          const meta = objectAt(params, '_meta');
          const token = meta['progressToken'];
          const hasToken = typeof token === 'string' || typeof token === 'number';
          ids.set(id, renamed);
          const wantsLog = meta[LOG_LEVEL_KEY] !== undefined;
          sent.set(renamed, { lane: own, id, wantsLog, ...(hasToken ? { token } : {}) });
          const renamedParams = hasToken ? { ...params, _meta: { ...meta, progressToken: renamed } } : params;
          return server.channel.send({ ...message, id: renamed, params: renamedParams });
        }
        const { requestId } = paramsOf(message);
        const renamed =
          typeof requestId === 'string' || typeof requestId === 'number' ? ids.get(requestId) : undefined;
        if (message['method'] !== 'notifications/cancelled' || renamed === undefined)
          return server.channel.send(message);
        return server.channel.send({ ...message, params: { ...paramsOf(message), requestId: renamed } });
      },
      pause() {},
      resume() {},
      async close() {
        if (own !== undefined) lanes.delete(own);
        // Whoever asked is gone: without sessions that is how a request is called off.
        for (const requestId of ids.values()) {
          if (sent.delete(requestId))
            server?.channel.send(notificationOf('notifications/cancelled', { requestId }));
        }
      },
    };
  }

  return {
    lane,
    async close() {
      await server?.channel.close();
    },
  };
}
