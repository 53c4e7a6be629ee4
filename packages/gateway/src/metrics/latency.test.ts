import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { Latency } from './metrics.js';

it("latency reads like the library's histogram", async () => {
  const latency = new Latency();
  const registry = new Registry();
  const histogram = new Histogram({
    name: 'proffer_acknowledgement_seconds',
    help: 'Seconds from reading a message to its acknowledgement.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
    registers: [registry],
  });
  expect(latency.text()).toBe(await registry.metrics());
  for (const seconds of [0, 0.0005, 0.001, 0.0015, 0.25, 2, 2.5, 100]) {
    latency.observe(seconds);
    histogram.observe(seconds);
  }
  expect(latency.text()).toBe(await registry.metrics());
});
