import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../metrics/metrics.js';
import { listenForMetrics } from './metrics-listener.js';

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
      const taken = await listenForMetrics(createMetrics(), { host: '127.0.0.1', port });
      expect(taken).toMatchObject({ ok: false, refusal: { details: { field: 'listen.metrics' } } });
    } finally {
      listening.value.close();
      listening.value.closeAllConnections();
    }
  });
});
