import type { DrawFault } from './faults.js';
import { pick } from './faults.js';
import type { Cut, Network, Place } from './network.js';

/** Which links are cut, and a name for it. */
interface Shape {
  readonly what: string;
  readonly cuts: readonly Cut[];
}

type DrawShape = (network: Network, random: () => number) => Shape;

const namesOf = (places: readonly Place[]): string => places.map(({ name }) => name).join(' ');

/** Nothing passes from any of these to any of those. */
const between = (from: readonly Place[], to: readonly Place[]): readonly Cut[] =>
  from.flatMap((one) => to.map((other): Cut => [one.name, other.name]));

const bothWays = (some: readonly Place[], others: readonly Place[]): readonly Cut[] => [
  ...between(some, others),
  ...between(others, some),
];

function split(places: readonly Place[], random: () => number): readonly [Place[], Place[]] {
  const sides: readonly [Place[], Place[]] = [[], []];
  for (const place of places) sides[random() < 0.5 ? 0 : 1].push(place);
  return sides;
}

/** Two sides that cannot reach each other. Clients reach both. */
const halves: DrawShape = ({ places }, random) => {
  const [left, right] = split(places, random);
  return { what: `part ${namesOf(left)} from ${namesOf(right)}`, cuts: bothWays(left, right) };
};

/** Two sides that cannot reach each other, and one that reaches both. */
const bridge: DrawShape = ({ places }, random) => {
  const middle = pick(places, random);
  const [left, right] = split(
    places.filter((place) => place !== middle),
    random,
  );
  const what = `part ${namesOf(left)} from ${namesOf(right)} with ${middle.name} between them`;
  return { what, cuts: bothWays(left, right) };
};

/** One that is fully isolated, even from clients. */
const alone: DrawShape = ({ places, clients }, random) => {
  const one = pick(places, random);
  const others = [clients, ...places].filter((place) => place !== one);
  return { what: `isolate ${one.name}`, cuts: bothWays([one], others) };
};

/** One that receives but cannot send, or the reverse. */
const oneWay: DrawShape = ({ places }, random) => {
  const one = pick(places, random);
  const [others] = split(
    places.filter((place) => place !== one),
    random,
  );
  const isMute = random() < 0.5;
  const what = `let ${namesOf(others)} not ${isMute ? 'hear' : 'reach'} ${one.name}`;
  return { what, cuts: isMute ? between([one], others) : between(others, [one]) };
};

const SHAPES: readonly DrawShape[] = [halves, bridge, alone, oneWay];

const partition: DrawFault = ({ network }, random) => {
  if (network === undefined) return undefined;
  const { what, cuts } = pick(SHAPES, random)(network, random);
  return {
    what,
    lasts: 1_000 + random() * 11_000,
    begin: () => network.cut(cuts),
    end: () => network.cut([]),
  };
};

/** Some send slowly: what waits longer than two seconds is lost. */
const slowLinks: DrawFault = ({ network }, random) => {
  if (network === undefined) return undefined;
  const some = network.places.filter(() => random() < 0.3);
  const rate = Math.round(100 + random() * 2_000);
  return {
    what: `slow ${namesOf(some)} down to ${rate} kbit/s`,
    lasts: random() * 8_000,
    begin: () => some.forEach((place) => network.slow(place, rate)),
    end: () => some.forEach((place) => network.slow(place, undefined)),
  };
};

/** Faults of the network. */
export const networkFaults: readonly DrawFault[] = [partition, partition, partition, slowLinks];

/** Some receive packets with loss and reordering: TCP repairs that, and is slow meanwhile. */
const badLinks: DrawFault = ({ network }, random) => {
  if (network === undefined) return undefined;
  const some = network.places.filter(() => random() < 0.4);
  const disturbance = {
    lost: random() * 0.15,
    late: random() * 0.3,
    rate: Math.round(200 + random() * 2_000),
  };
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  return {
    what: `lose ${percent(disturbance.lost)} and delay ${percent(disturbance.late)} of the packets to ${namesOf(some)}`,
    lasts: random() * 10_000,
    begin: () => some.forEach((place) => network.disturb(place, disturbance)),
    end: () => some.forEach((place) => network.disturb(place, undefined)),
  };
};

/** Faults of packets. */
export const packetFaults: readonly DrawFault[] = [badLinks];
