import type { JsonObject } from '@proffer/core';
import { describe, expect, it } from 'vitest';
import { requestOf } from '../json-rpc.js';
import type { Channel, ChannelEvents } from './channel.js';
import { createLanes } from './lanes.js';

/** A server that says what a test wants, and a client on a lane to it that keeps what it hears. */
function place() {
  let server: ChannelEvents | undefined;
  const channel: Channel = {
    open: async (events) => {
      server = events;
    },
    send: () => true,
    pause() {},
    resume() {},
    close: async () => {},
  };
  const lanes = createLanes(() => channel);
  return {
    say: (message: JsonObject) => server?.onMessage(message),
    async client(meta: JsonObject) {
      const heard: unknown[] = [];
      const lane = lanes.lane();
      await lane.open({
        onMessage: ({ method }) => void heard.push(method),
        onUnanswered() {},
        onClose() {},
        onDrain() {},
      });
      lane.send(requestOf(1, 'tools/call', { name: 'work', arguments: {}, _meta: meta }));
      return { heard, close: () => lane.close() };
    },
  };
}

const LOGGED = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'private' },
};

describe('lanes to one server', () => {
  it('carry what it logs only to those who asked for that and wait for an answer', async () => {
    const here = place();
    const asking = await here.client({ 'io.modelcontextprotocol/logLevel': 'debug' });
    const gone = await here.client({ 'io.modelcontextprotocol/logLevel': 'debug' });
    const other = await here.client({});
    await gone.close();
    here.say(LOGGED);
    expect([asking.heard, gone.heard, other.heard]).toEqual([['notifications/message'], [], []]);
  });
});
