import type { Benchmark } from '../benchmark.js';
import { attack } from './attack.js';
import { cycles } from './cycles.js';
import { fanOut } from './fan-out.js';
import { memory } from './memory.js';
import { restart } from './restart.js';
import { scale } from './scale.js';

/** The gateway in a separate process, over loopback, with everything durable. */
export const gateway: readonly Benchmark[] = [fanOut, cycles, scale, restart, memory, attack];
