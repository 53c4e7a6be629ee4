import type { Benchmark } from '../benchmark.js';
import { length } from './length.js';
import { modes } from './modes.js';
import { send } from './send.js';
import { sessions } from './sessions.js';
import { stream } from './stream.js';

/** Negotiations over gRPC, the server in a separate process, with everything durable. */
export const negotiation: readonly Benchmark[] = [send, modes, stream, length, sessions];
