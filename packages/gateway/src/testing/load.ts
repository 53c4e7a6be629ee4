import { chat } from './messages.js';
import type { Peer } from './peers/peer.js';

/** Milliseconds from sending messages to their return, sorted. */
export async function measure(peer: Peer, prefix: string, count: number, size: number): Promise<number[]> {
  const text = 'x'.repeat(size);
  const took: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const started = performance.now();
    await peer.say(chat(`${prefix}${sent}`, text));
    took.push(performance.now() - started);
  }
  return took.sort((left, right) => left - right);
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
