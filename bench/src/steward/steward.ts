import type { Benchmark } from '../benchmark.js';
import { rules } from './rules.js';

/** Deciding by rules: no network, no disk. */
export const steward: readonly Benchmark[] = [rules];
