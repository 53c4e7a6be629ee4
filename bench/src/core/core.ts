import type { Benchmark } from '../benchmark.js';
import { capability } from './capability.js';
import { memory } from './memory.js';
import { negotiation } from './negotiation.js';
import { operations } from './operations.js';
import { reading } from './reading.js';
import { replay } from './replay.js';
import { review } from './review.js';
import { sealing } from './sealing.js';

/** The rules alone: no network, no disk. */
export const core: readonly Benchmark[] = [
  operations,
  review,
  negotiation,
  replay,
  sealing,
  reading,
  capability,
  memory,
];
