import type { Benchmark } from '../benchmark.js';
import { arrival } from './arrival.js';
import { followers } from './followers.js';
import { opening } from './opening.js';
import { scrolling } from './scrolling.js';

/** The console in a real browser, with a gateway in a separate process. */
export const consoles: readonly Benchmark[] = [opening, arrival, scrolling, followers];
