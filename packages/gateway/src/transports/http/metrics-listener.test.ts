import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../metrics/metrics.js';
import { listenForMetrics } from './metrics-listener.js';

/** The status line for a target as it is written, which `fetch` would correct. */
async function statusFor(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n`);
  let answer = '';
  socket.on('data', (part: string) => {
    answer += part;
  });
  await once(socket, 'close');
  return answer.slice(0, answer.indexOf('\r\n'));
}

describe('metrics on an address of their own', () => {
  it('N-30: are all that is served there', async () => {
    const listening = await listenForMetrics(createMetrics(), { host: '127.0.0.1', port: 0 });
    if (!listening.ok) throw new Error(listening.refusal.message);
    const { port } = listening.value.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    try {
      const found = await fetch(`${url}/metrics`);
      expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('proffer_')]);
      expect((await fetch(`${url}/macp/sessions`)).status).toBe(404);
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
      for (const target of [
        '//',
        '//[',
        'http://[',
        'http://',
        'https://:0x/',
        '/%',
        '/\\',
        '*',
        '/..//metrics',
      ])
        expect([target, await statusFor(port, target)]).toEqual([target, 'HTTP/1.1 404 Not Found']);
      for (const target of ['/metrics?a=%', 'http://gateway/metrics'])
        expect([target, await statusFor(port, target)]).toEqual([target, 'HTTP/1.1 200 OK']);
      const taken = await listenForMetrics(createMetrics(), { host: '127.0.0.1', port });
      expect(taken).toMatchObject({ ok: false, refusal: { details: { field: 'listen.metrics' } } });
    } finally {
      listening.value.close();
      listening.value.closeAllConnections();
    }
  });
});
