import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { type Cast, sendAll } from './driver/load.js';
import { measureMessages } from './measure.js';
import { NOT_MEASURED, startReference } from './servers/reference.js';
import { openTables, remarks } from './tables.js';
import { gatewayVenue, referenceVenue, type Venue, withCast } from './venue.js';

/** Messages in a session before the measured ones. */
const LENGTHS = [10, 1000, 50_000];

/** Messages in flight. */
const IN_FLIGHT = 16;

/** The cost of one more message in a session of a given length (I-8). */
export const length: Benchmark = {
  name: 'negotiation/length',
  about:
    'cost of a message in sessions of 10, 1,000 and 50,000 messages, compared with the reference runtime',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using ours = await startGatewayCompanion({ folder: folder.path });
    await using reference = await startReference();
    if (reference === undefined) note(NOT_MEASURED);
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 });
    const count = smoke ? 20 : quick ? 200 : 500;
    const lengths = smoke ? [10, 100] : LENGTHS;
    const patience = smoke ? 2 : quick ? 30 : 60;
    const found: Measurement[] = [];
    for (const venue of [
      gatewayVenue(ours),
      ...(reference === undefined ? [] : [referenceVenue(reference)]),
    ]) {
      const contestants: Contestant[] = [];
      for (const wanted of lengths) {
        const table = await withCast(venue, (cast) => grow(cast, wanted, patience));
        if (table.length < wanted) note(tooSlowNote(venue, { wanted, reached: table.length, patience }));
        contestants.push({
          parameters: { messages: table.length },
          round: () =>
            measureNext(
              venue,
              { ...table, isShort: wanted === lengths[0] },
              Math.ceil(count * Math.max(venue.share, 0.2)),
            ),
        });
      }
      found.push(...compareWithFirst(await measureInTurns(contestants, rounds)));
    }
    return found;
  },
};

interface Table {
  readonly id: string;
  /** Messages in it when it was ready. */
  readonly length: number;
}

/** A new session grown to a number of messages, or until a time limit in seconds. */
async function grow(cast: Cast, wanted: number, seconds: number): Promise<Table> {
  const [id = ''] = await openTables(cast, 1);
  const giveUp = performance.now() + seconds * 1000;
  let length = 2;
  for (let step = 100; length < wanted && performance.now() < giveUp; ) {
    const more = Math.min(step, wanted - length);
    const { seconds: taken } = await sendAll(cast, { parcels: remarks([id], more, length), inFlight: 256 });
    length += more;
    if (taken < 1) step *= 2;
  }
  return { id, length };
}

let rounds = 0;

/** The next messages of a session. A short session would not stay short, so each round uses a new one. */
function measureNext(
  venue: Venue,
  { id, length, isShort }: Table & { readonly isShort: boolean },
  count: number,
): Promise<readonly Figure[]> {
  return withCast(venue, async (cast) => {
    const session = isShort ? (await grow(cast, length, Number.POSITIVE_INFINITY)).id : id;
    const load = { parcels: remarks([session], count, length + ++rounds * count), inFlight: IN_FLIGHT };
    return await measureMessages(venue, { label: venue.server, count }, () => sendAll(cast, load));
  });
}

function tooSlowNote(
  { server }: Venue,
  {
    wanted,
    reached,
    patience,
  }: { readonly wanted: number; readonly reached: number; readonly patience: number },
): string {
  const [asked, got] = [wanted, reached].map((number) => number.toLocaleString('en'));
  return `${server} was too slow for a session of ${asked} messages; it is measured at ${got}, reached in ${patience} s.`;
}
