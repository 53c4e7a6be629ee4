import { defined } from '@proffer/core/json';
import type { Journal } from '@proffer/journal';
import { type LoopbackGateway, startOnLoopback } from '../loopback.js';

/** A real gateway on a free port, closed by `await using`. */
export interface TestGateway extends LoopbackGateway {
  readonly http: string;
  readonly ws: string;
}

/** @param yaml - the configuration; default: dev mode. The port is always a free one. */
export async function startTestGateway(
  yaml = 'dev: true',
  journal?: Journal,
  clock: () => number = Date.now,
): Promise<TestGateway> {
  const started = await startOnLoopback(yaml, { clock, ...defined({ journal }) });
  return { ...started, http: `http://127.0.0.1:${started.port}`, ws: `${started.url}/ws` };
}
