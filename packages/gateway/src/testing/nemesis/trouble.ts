import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../random.js';
import { type DrawFault, machineFaults, pick, processFaults } from './faults.js';
import type { Lab } from './lab.js';
import { networkFaults, packetFaults } from './network-faults.js';

export interface TroubleOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly sync: boolean;
  readonly tell: (line: string) => void;
}

/**
 * Injects faults until a time is over: one process fault after another, in parallel one network or machine
 * fault after another, and in parallel bad links. A seed gives the same faults in the same order; their
 * number depends on the speed of the machine.
 */
export async function makeTrouble(lab: Lab, { seconds, seed, sync, tell }: TroubleOptions): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const lanes = [
    { faults: processFaults({ sync }), random: createRandom(seed) },
    { faults: [...networkFaults, ...machineFaults], random: createRandom(seed + 1) },
    // Not seed + 2: the load draws from that.
    { faults: packetFaults, random: createRandom(seed + 3) },
  ];
  await Promise.all(lanes.map((lane) => oneAfterTheOther(lab, { ...lane, end, tell })));
}

interface Lane {
  readonly faults: readonly DrawFault[];
  readonly random: () => number;
  readonly end: number;
  readonly tell: (line: string) => void;
}

async function oneAfterTheOther(lab: Lab, { faults, random, end, tell }: Lane): Promise<void> {
  const begun = performance.now();
  const until = (time: number): Promise<void> => delay(Math.min(time, end - performance.now()));
  for (;;) {
    await until(random() * 4_000);
    if (performance.now() >= end) return;
    const fault = pick(faults, random)(lab, random);
    if (fault === undefined) continue;
    const { what, lasts } = fault;
    tell(`${Math.round(performance.now() - begun)} ms: ${what} for ${Math.round(lasts)} ms`);
    fault.begin();
    // The last one is shorter, so that everything comes to rest in time.
    await until(lasts);
    fault.end?.();
  }
}
