import type { Figure } from '../turns.js';
import { percentile, runCycles } from './driver/cycle-load.js';
import { settle } from './driver/fan-out-load.js';
import { serverCost, type Venue } from './venue.js';

export interface CyclesRound {
  /** Appended to the name of each figure. */
  readonly label: string;
  readonly inFlight: number;
  readonly observers: number;
  readonly cycles: number;
}

/** One round of cycles over new connections, so the two dialects of one server do not interfere. */
export async function measureCycles(
  venue: Venue,
  { label, inFlight, observers, cycles }: CyclesRound,
): Promise<readonly Figure[]> {
  const [agent, reviewer, tools] = await Promise.all([
    venue.connect('agent'),
    venue.connect('reviewer'),
    venue.connect('tools'),
  ]);
  const watching = await Promise.all(
    Array.from({ length: observers }, (_, index) => venue.connect(`observer-${index}`)),
  );
  const wires = [agent, reviewer, tools, ...watching];
  try {
    await settle(wires, venue.dialect);
    const { result, nanoseconds } = await serverCost(venue, cycles, () =>
      runCycles({ agent, reviewer, tools }, { count: cycles, inFlight, dialect: venue.dialect }),
    );
    const { seconds, latencies } = result;
    const figure = (what: string, unit: string, value: number): Figure => ({
      name: `${what}, ${label}`,
      unit,
      value,
    });
    return [
      figure('cycles', 'cycles/s', cycles / seconds),
      figure('p50', 'ms', percentile(latencies, 0.5)),
      figure('p99', 'ms', percentile(latencies, 0.99)),
      ...(nanoseconds === undefined ? [] : [figure('server CPU', 'ns/cycle', nanoseconds)]),
    ];
  } finally {
    for (const wire of wires) wire.close();
  }
}
