import { once } from 'node:events';
import { connect, createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { INTERVAL, keepAlive } from './keep-alive.js';

afterEach(() => {
  vi.useRealTimers();
});

/** A connection of a real client, as the server has it. */
async function openSession(): Promise<ServerHttp2Session> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const opened = once(server, 'session') as Promise<[ServerHttp2Session]>;
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).on('error', () => {});
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [session] = await opened;
  return session.on('error', () => {});
}

it('I-7: a connection that was destroyed and is not closed yet does not end the process', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const session = await openSession();
  const alive = keepAlive(new Set([session]));
  session.destroy();
  expect(() => vi.advanceTimersByTime(2 * INTERVAL)).not.toThrow();
  alive.stop();
});

it('I-7: a peer that does not answer a ping is cut', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const session = await openSession();
  const alive = keepAlive(new Set([session]));
  // No answer can arrive in between.
  vi.advanceTimersByTime(2 * INTERVAL);
  expect(session.destroyed).toBe(true);
  alive.stop();
});
