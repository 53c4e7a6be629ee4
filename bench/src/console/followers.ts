import type { Participant } from '@proffer/client';
import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { serverCost } from '../gateway/venue.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { fill } from './load.js';
import { type ConsoleVenue, openConsoleVenue } from './venue.js';

/** Followers per space. */
const FOLLOWERS = 10;
const PER_SECOND = 100;

/** What ten open consoles cost the gateway, compared with ten connections that only listen. */
export const followers: Benchmark = {
  name: 'console/followers',
  about: 'gateway CPU per message with ten open consoles, compared with ten plain followers',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using venue = await openConsoleVenue(['plain', 'records', 'consoles']);
    const count = smoke ? 2 : FOLLOWERS;
    const times = Array.from({ length: count }, (_, index) => index);
    const milliseconds = smoke ? 300 : 10_000;
    const contestants: Contestant[] = [];
    for (const space of ['plain', 'records', 'consoles']) {
      const [agent, remarker] = [await venue.join('agent', space), await venue.join('other', space)];
      const pending = await fill(agent, remarker, smoke ? 20 : 500);
      for (const _ of times) {
        if (space === 'consoles') await venue.open(space);
        else await follow(venue, space);
      }
      contestants.push({
        parameters: { followers: NAMES[space] ?? space },
        round: () => measureRound(venue, () => pending.change(PER_SECOND, milliseconds)),
      });
    }
    return compareWithFirst(
      await measureInTurns(contestants, roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 })),
    );
  },
};

const NAMES: Readonly<Record<string, string>> = {
  plain: 'plain followers',
  records: 'plain followers, with records',
  consoles: 'consoles',
};

/** A follower that discards everything it receives. */
async function follow(venue: ConsoleVenue, space: string): Promise<Participant> {
  const one = await venue.join('reviewer', space, { records: space === 'records' });
  one.on('message', () => {});
  return one;
}

async function measureRound(venue: ConsoleVenue, change: () => Promise<number>): Promise<readonly Figure[]> {
  const usage = () => venue.gateway.usage();
  let messages = 0;
  const { nanoseconds = Number.NaN } = await serverCost({ usage }, 1, async () => {
    messages = await change();
  });
  return [{ name: 'gateway CPU', unit: 'ns/message', value: nanoseconds / messages }];
}
