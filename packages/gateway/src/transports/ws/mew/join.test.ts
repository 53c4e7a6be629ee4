import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { awaitJoin, JOIN_TIMEOUT, sendAway } from './join.js';

/** Both ends of a WebSocket. */
async function connect() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const opened = once(client, 'open');
  const [webSocket, request] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
  await opened;
  return {
    client,
    webSocket,
    socket: request.socket,
    [Symbol.asyncDispose]: async () => {
      client.terminate();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

describe('waiting for a join', () => {
  it('I-7: ends after the time to identify', async () => {
    expect(JOIN_TIMEOUT).toBe(5_000);
    await using ends = await connect();
    const { webSocket, socket, client } = ends;
    const closed = once(client, 'close');
    // Invalid messages do not extend the time.
    client.ping();
    const { join } = await awaitJoin(webSocket, socket, 20);
    expect(join).toBeUndefined();
    sendAway(webSocket, 'join_expected');
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1008, 'join_expected']);
  });

  it('O-7: ends with the join, and keeps what came right after it', async () => {
    await using ends = await connect();
    const { webSocket, socket, client } = ends;
    const joining = awaitJoin(webSocket, socket, 2 ** 31 - 1);
    client.send(JSON.stringify({ type: 'join', space: 'main', token: 'a', participantId: 'b' }));
    client.send('next');
    const { join, resume } = await joining;
    expect(join).toEqual({ space: 'main', token: 'a', participantId: 'b' });
    const next = once(webSocket, 'message');
    resume();
    const [data] = (await next) as [Buffer];
    expect(data.toString()).toBe('next');
  });
});
