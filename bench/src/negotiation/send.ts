import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';
import { type Case, casesFor, countFor, labelOf } from './cases.js';
import { sendAll } from './driver/load.js';
import { compareMessages, measureMessages } from './measure.js';
import { NOT_MEASURED, startReference } from './servers/reference.js';
import { openTables, remarks } from './tables.js';
import {
  gatewayVenue,
  referenceVenue,
  startBare,
  startDurableBound,
  startGrpcJs,
  type Venue,
  withCast,
} from './venue.js';
import { warmUpSending } from './warm-up.js';

/** Sessions that the messages are spread over. */
const SESSIONS = 64;

/** One call per message, which is durable when answered. */
export const send: Benchmark = {
  name: 'negotiation/send',
  about: 'Send over gRPC, durable: calls per second and latency, compared with servers without rules',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using ours = await startGatewayCompanion({ folder: folder.path });
    await using bare = await startBare();
    await using library = await startGrpcJs();
    await using durable = await startDurableBound();
    await using reference = await startReference();
    if (reference === undefined) note(NOT_MEASURED);
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 });
    const proffer = gatewayVenue(ours);
    const venues = [proffer, ...(reference === undefined ? [] : [referenceVenue(reference)])];
    await warmUpSending([bare, library, durable, ...venues], { quick, smoke });
    const found: Measurement[] = [];
    for (const one of casesFor({ quick, smoke })) {
      const contestants = [
        contestant(bare, one, 0),
        contestant(library, one, 0),
        contestant(durable, one, 0),
        ...venues.flatMap((venue) => [contestant(venue, one, SESSIONS), contestant(venue, one, 1)]),
      ];
      const samples = await measureInTurns(contestants, rounds);
      const names = [SESSIONS, 1].map((tables) => nameOf(proffer, tables));
      found.push(...compareMessages(samples, { ours: names, label: labelOf(one) }));
    }
    return found;
  },
};

/** @param tables - sessions, new in each round; none for a server that has no sessions */
function contestant(venue: Venue, one: Case, tables: number): Contestant {
  const { inFlight } = one;
  return {
    parameters: { server: nameOf(venue, tables) },
    round: () =>
      withCast(venue, async (cast) => {
        const count = countFor(one, venue.share);
        const sessions = await openTables(cast, Math.max(1, tables));
        const load = { parcels: remarks(sessions, count), inFlight };
        return await measureMessages(venue, { label: labelOf(one), count }, () => sendAll(cast, load));
      }),
  };
}

function nameOf({ server }: Venue, tables: number): string {
  return tables === 0 ? server : `${server}, ${tables === 1 ? '1 session' : `${tables} sessions`}`;
}
