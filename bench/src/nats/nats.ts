import type { Benchmark } from '../benchmark.js';
import { appends } from './appends.js';
import { cycles } from './cycles.js';
import { failover } from './failover.js';
import { latency } from './latency.js';

/** Journals on NATS, and gateways that share one. */
export const nats: readonly Benchmark[] = [appends, cycles, latency, failover];
