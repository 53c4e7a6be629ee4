import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startOnLoopback } from '../../loopback.js';

// The gateway that is attacked, in a process of its own: answers each message of its parent with how much memory
// it uses after a collection. Needs --expose-gc.
const folder = await mkdtemp(join(tmpdir(), 'proffer-frames-'));
const limits = '{ bad_messages_per_connection: 1000000/s, messages_per_participant: 1000000/s }';
const { port, grpcPort } = await startOnLoopback(`dev: true\nlimits: ${limits}\n`, { folder });
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ memory: process.memoryUsage() });
});
process.on('disconnect', () => process.exit());
process.send?.({ port, grpcPort, folder });
