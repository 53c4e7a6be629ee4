import type { Envelope } from '../../../envelope/envelope.js';
import { announce } from '../world.js';
import { createChronicle, note } from './chronicle.js';
import { createRandom } from './random.js';
import { proposing, randomMessage } from './random-message.js';
import { type Scenario, scenarioFor } from './scenario.js';
import { type Mishaps, TwoGateways, type Written } from './two-gateways.js';

export interface History {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly journal: readonly Written[];
  readonly mishaps: Mishaps;
}

const HOUR = 3_600_000;
/** How far the clock advances at a time. */
const PAUSES = [1, 1, 500, 2_000, 2_000, 7_000, 7_000, 30_000, HOUR] as const;
const MAX_PROPOSALS = 4;

/** Plays the history of a seed: a random policy, and up to 35 events on two gateways. */
export function playHistory(seed: number): History {
  const random = createRandom(seed);
  const scenario = scenarioFor(seed);
  const chronicle = createChronicle();
  const gateways = new TwoGateways(scenario, random, (record) => note(chronicle, record));
  const said: Envelope[] = [];
  const say = (envelope: Envelope | undefined): void => {
    if (envelope === undefined) return;
    said.push(envelope);
    gateways.send(envelope);
  };
  say(announce('n1', 'tools', ['write_file', 'pay']));
  if (random.once(2)) say(announce('n2', 'spare', ['write_file', 'pay']));
  const steps = 8 + random.below(27);
  let proposals = 0;
  for (let step = 0; step < steps; step++) {
    const speaking = { random, chronicle, now: gateways.now, id: `m${step}` };
    const what = random.below(20);
    const isTime = proposals < 2 || (proposals < MAX_PROPOSALS && random.once(8));
    if (isTime && what < 16) say(proposing({ ...speaking, id: `p${++proposals}` }));
    else if (what < 14) say(randomMessage(speaking));
    // A sender without an answer sends again, perhaps to the other gateway.
    else if (what === 14 && said.length > 0) gateways.send(random.pick(said));
    else if (what === 15 && random.once(2)) gateways.kill();
    else if (what === 16 && random.once(2)) togglePresence(gateways, random.pick(['tools', 'agent', 'cleo']));
    else gateways.now += random.pick(PAUSES);
    for (const { id } of chronicle.proposals) if (random.once(3)) gateways.review(id);
  }
  gateways.settle();
  const { journal, mishaps } = gateways;
  return { seed, scenario, journal, mishaps };
}

function togglePresence(gateways: TwoGateways, name: string): void {
  if (!gateways.absent.delete(name)) gateways.leave(name);
}
