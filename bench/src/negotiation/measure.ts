import type { Measurement } from '../benchmark.js';
import { compareWithBounds, compareWithFirst, type Samples } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { serverCost } from '../gateway/venue.js';
import type { Figure } from '../turns.js';
import type { Times } from './driver/load.js';
import { DURABLE_BOUND, type Venue } from './venue.js';

/** One round of messages: rate, latency, and the server's CPU time. */
export async function measureMessages(
  venue: Venue,
  { label, count }: { readonly label: string; readonly count: number },
  work: () => Promise<Times>,
): Promise<readonly Figure[]> {
  const { result, nanoseconds } = await serverCost(venue, count, work);
  const { seconds, latencies } = result;
  const figure = (what: string, unit: string, value: number): Figure => ({
    name: `${what}, ${label}`,
    unit,
    value,
  });
  return [
    figure('messages', 'messages/s', latencies.length / seconds),
    figure('p50', 'ms', percentile(latencies, 0.5)),
    figure('p99', 'ms', percentile(latencies, 0.99)),
    ...(nanoseconds === undefined ? [] : [figure('server CPU', 'ns/message', nanoseconds)]),
  ];
}

/** All figures compared with the first, and rate and CPU of some servers compared with the durable bound. */
export function compareMessages(
  samples: readonly Samples[],
  { ours, label }: { readonly ours: readonly string[]; readonly label: string },
): readonly Measurement[] {
  const figures = { 'messages/s': 'speed', 'ns/message': 'server CPU' };
  const bounds = [DURABLE_BOUND];
  return [
    ...compareWithFirst(samples),
    ...ours.flatMap((one) =>
      compareWithFirst(compareWithBounds(samples, { ours: one, bounds, figures, label })),
    ),
  ];
}
