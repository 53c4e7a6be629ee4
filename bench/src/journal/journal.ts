import type { Benchmark } from '../benchmark.js';
import { appends } from './appends.js';

/** The local journal alone, on the disk of the temporary folder. */
export const journal: readonly Benchmark[] = [appends];
