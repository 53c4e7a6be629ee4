import { describe, expect, it } from 'vitest';
import type { JsonRpcChannel } from './channel.js';
import { ServerRequests } from './server-requests.js';

const SILENT: JsonRpcChannel = {
  open: async () => {},
  send: () => true,
  pause() {},
  resume() {},
  close: async () => {},
};

const GONE = new Error('gone');

/** How a promise is settled by the next turn of the event loop; nothing if it is pending. */
async function endOf(promise: Promise<unknown>): Promise<unknown> {
  const end = promise.catch((error: unknown) => error);
  return await Promise.race([end, new Promise((resolve) => setImmediate(resolve))]);
}

describe('end of the channel', () => {
  it('O-23: rejects pending requests and other waits at once', async () => {
    const requests = new ServerRequests(SILENT);
    const asked = requests.ask(requests.nextId(), { method: 'tools/call', params: {} });
    const waiting = [requests.beforeEnd(new Promise(() => {})), requests.beforeEnd(new Promise(() => {}))];
    requests.end(GONE);
    expect(await Promise.all([asked, ...waiting].map(endOf))).toEqual([GONE, GONE, GONE]);
  });

  it('rejects later waits at once', async () => {
    const requests = new ServerRequests(SILENT);
    requests.end(GONE);
    expect(await endOf(requests.beforeEnd(new Promise(() => {})))).toBe(GONE);
    expect(await endOf(requests.ask(requests.nextId(), { method: 'tools/call', params: {} }))).toBe(GONE);
  });

  it('does not change promises that were settled before', async () => {
    const requests = new ServerRequests(SILENT);
    const done = requests.beforeEnd(Promise.resolve('done'));
    const failed = requests.beforeEnd(Promise.reject(new Error('broken')));
    expect(await endOf(done)).toBe('done');
    expect(await endOf(failed)).toEqual(new Error('broken'));
    requests.end(GONE);
    await expect(done).resolves.toBe('done');
    await expect(failed).rejects.toThrow('broken');
  });
});
