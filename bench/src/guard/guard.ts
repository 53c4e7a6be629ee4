import type { Benchmark } from '../benchmark.js';
import { calls } from './calls.js';
import { held } from './held.js';
import { starts } from './start.js';

/** The guard as a process between a client and a server over stdio. */
export const guard: readonly Benchmark[] = [starts, calls, held];
