import type { Benchmark } from '../benchmark.js';
import { calls } from './calls.js';
import { held } from './held.js';
import { starts } from './start.js';

/** The guard as a process between client and server, over stdio. */
export const guard: readonly Benchmark[] = [starts, calls, held];
