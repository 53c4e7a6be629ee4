import { defined, type JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { notificationOf, requestOf } from '../json-rpc.js';
import type { ChannelEvents, JsonRpcChannel } from './channel.js';
import { createSharedServer } from './shared-server.js';

/** A scripted server, and a client of it that records what it receives. */
function place() {
  let server: ChannelEvents | undefined;
  const got: JsonObject[] = [];
  const channel: JsonRpcChannel = {
    open: async (events) => {
      server = events;
    },
    send(message) {
      got.push(message);
      return true;
    },
    pause() {},
    resume() {},
    close: async () => {},
  };
  const shared = createSharedServer(() => channel);
  return {
    /** What reached the server. */
    got,
    say: (message: JsonObject) => server?.onMessage(message),
    async client(meta: JsonObject) {
      const heard: unknown[] = [];
      const client = shared.connect();
      await client.open({
        onMessage: ({ method }) => void heard.push(method),
        onUnanswered() {},
        onClose() {},
        onDrain() {},
      });
      client.send(requestOf(1, 'tools/call', { name: 'work', arguments: {}, _meta: meta }));
      return { heard, send: (message: JsonObject) => client.send(message), close: () => client.close() };
    },
  };
}

const LOGGED = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'private' },
};

describe('shared to one server', () => {
  it('carry log messages only to clients that asked for them and wait for an answer', async () => {
    const here = place();
    const asking = await here.client({ 'io.modelcontextprotocol/logLevel': 'debug' });
    const gone = await here.client({ 'io.modelcontextprotocol/logLevel': 'debug' });
    const other = await here.client({});
    await gone.close();
    here.say(LOGGED);
    expect([asking.heard, gone.heard, other.heard]).toEqual([['notifications/message'], [], []]);
  });

  it('cancel only their own requests', async () => {
    const here = place();
    await here.client({});
    const other = await here.client({});
    const [running, own] = here.got.map(({ id }) => id);
    for (const requestId of [running, 'nobody', undefined])
      other.send(notificationOf('notifications/cancelled', defined({ requestId })));
    other.send(notificationOf('notifications/cancelled', { requestId: 1 }));
    expect(here.got.slice(2)).toEqual([notificationOf('notifications/cancelled', { requestId: own ?? '' })]);
  });

  it('carry messages about a request only to its sender, even if the sender is gone', async () => {
    const here = place();
    const gone = await here.client({ progressToken: 'mine' });
    const other = await here.client({});
    const about = here.got[0]?.['id'] ?? '';
    await gone.close();
    here.say(notificationOf('notifications/progress', { progressToken: about, progress: 1 }));
    here.say(notificationOf('notifications/progress', { progressToken: 7, progress: 1 }));
    here.say(notificationOf('notifications/cancelled', { requestId: about }));
    const subscribed = { _meta: { 'io.modelcontextprotocol/subscriptionId': about } };
    here.say(notificationOf('notifications/resources/updated', subscribed));
    here.say(notificationOf('notifications/tools/list_changed', {}));
    expect(other.heard).toEqual(['notifications/tools/list_changed']);
  });
});
