import { randomUUID } from 'node:crypto';
import { PROPOSAL_MODE } from '@proffer/core/negotiation';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startGatewayCompanion } from '../gateway/venue.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';
import { type Cast, sendAll } from './driver/load.js';
import { type Line, lineOf, type Parcel, SPEECHES, type Speech, startOf } from './driver/stock.js';
import { measureMessages } from './measure.js';
import { openTables, remarks } from './tables.js';
import { gatewayVenue, type Venue, withCast } from './venue.js';
import { warmUpSending } from './warm-up.js';

const IN_FLIGHT = 32;

/** Sessions that the messages are spread over, where a session can have any number of them. */
const SESSIONS = 64;

/** The cost of a message in each mode, beside Proposal Mode's. */
export const modes: Benchmark = {
  name: 'negotiation/modes',
  about: 'Send over gRPC, durable, 32 in flight, in every mode: compared with Proposal Mode',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    await using ours = await startGatewayCompanion({ folder: folder.path });
    const venue = gatewayVenue(ours);
    await warmUpSending([venue], { quick, smoke });
    const count = smoke ? 80 : quick ? 2000 : 8000;
    const contestants: Contestant[] = [
      contestant(venue, PROPOSAL_MODE, count, async (cast) =>
        remarks(await openTables(cast, SESSIONS), count),
      ),
      ...SPEECHES.map((speech) =>
        contestant(venue, speech.mode, count, (cast) => prepare(cast, speech, count)),
      ),
    ];
    const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 7 });
    return compareWithFirst(await measureInTurns(contestants, rounds));
  },
};

function contestant(
  venue: Venue,
  mode: string,
  count: number,
  prepared: (cast: Cast) => Promise<readonly Parcel[]>,
): Contestant {
  return {
    parameters: { mode },
    round: () =>
      withCast(venue, async (cast) => {
        const load = { parcels: await prepared(cast), inFlight: IN_FLIGHT };
        return await measureMessages(venue, { label: `${IN_FLIGHT} in flight`, count }, () =>
          sendAll(cast, load),
        );
      }),
  };
}

/** Opens as many sessions as the messages need, and returns the messages. */
async function prepare(
  cast: Cast,
  { mode, opening, lines, isOnce }: Speech,
  count: number,
): Promise<readonly Parcel[]> {
  const needed = isOnce === true ? Math.ceil(count / lines.length) : SESSIONS;
  const ids = Array.from({ length: needed }, () => randomUUID());
  await sendAll(cast, { parcels: ids.map((id) => startOf(mode, id)), inFlight: 64 });
  for (const [place, line] of opening.entries()) {
    const parcels = ids.map((id) => lineOf(mode, id, line, `opening-${place}`));
    await sendAll(cast, { parcels, inFlight: 64 });
  }
  return Array.from({ length: count }, (_, index) => {
    const turn = Math.floor(index / needed);
    const line = lines[turn % lines.length] as Line;
    return lineOf(mode, ids[index % needed] ?? '', line, `message-${turn}`);
  });
}
