import type { Server } from 'node:http';
import { type Result, success } from '@proffer/core';
import type { Address } from '../../config/index.js';
import type { Metrics } from '../../metrics/index.js';
import { createHttpServer, listen } from '../listen.js';
import { readTarget } from '../target.js';
import { replyText } from './reply.js';

/** Serves `/metrics` and nothing else, for collectors that reach no other address of the gateway. */
export async function listenForMetrics(metrics: Metrics, address: Address): Promise<Result<Server>> {
  const { server } = createHttpServer(undefined, (request, response) => {
    const isMetrics = readTarget(request.url).path === '/metrics';
    if (isMetrics && request.method === 'GET') {
      metrics.text().then(
        (text) => replyText(response, 200, metrics.contentType, text),
        () => response.destroy(),
      );
    } else {
      replyText(response, isMetrics ? 405 : 404, 'text/plain', 'Only GET /metrics is served here.\n');
    }
  });
  const listening = await listen(server, address, { isSecure: false, field: 'listen.metrics' });
  return listening.ok ? success(server) : listening;
}
