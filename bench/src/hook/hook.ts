import type { Benchmark } from '../benchmark.js';
import { calls } from './calls.js';

/** The hooks of coding agents. */
export const hook: readonly Benchmark[] = [calls];
