import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';
import { type Case, casesFor, countFor, labelOf } from './cases.js';
import { streamAll } from './driver/load.js';
import { remark } from './driver/stock.js';
import { compareMessages, measureMessages } from './measure.js';
import { NOT_MEASURED, startReference } from './servers/reference.js';
import { openTables } from './tables.js';
import {
  gatewayVenue,
  referenceVenue,
  startBare,
  startDurableBound,
  startGrpcJs,
  type Venue,
  withCast,
} from './venue.js';
import { warmUpStreaming } from './warm-up.js';

/** One stream for all messages of a session; each comes back once it is durable. */
export const stream: Benchmark = {
  name: 'negotiation/stream',
  about: 'the same over one StreamSession, compared with echo servers',
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
    const venues = [
      bare,
      library,
      durable,
      proffer,
      ...(reference === undefined ? [] : [referenceVenue(reference)]),
    ];
    await warmUpStreaming(venues, { quick, smoke });
    const found: Measurement[] = [];
    for (const one of casesFor({ quick, smoke })) {
      const contestants = venues.map((venue) => contestant(venue, one));
      const samples = await measureInTurns(contestants, rounds);
      found.push(...compareMessages(samples, { ours: [proffer.server], label: labelOf(one) }));
    }
    return found;
  },
};

function contestant(venue: Venue, one: Case): Contestant {
  const { inFlight } = one;
  return {
    parameters: { server: venue.server },
    round: () =>
      withCast(venue, async (cast) => {
        const count = countFor(one, venue.share);
        const [session = ''] = await openTables(cast, 1);
        // The stream is opened by one message that is not counted.
        const parcels = Array.from({ length: count + 1 }, (_, index) => remark(session, index, 'buyer'));
        return await measureMessages(venue, { label: labelOf(one), count }, () =>
          streamAll(cast.buyer, { parcels, inFlight }),
        );
      }),
  };
}
