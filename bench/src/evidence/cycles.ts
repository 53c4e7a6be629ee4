import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { measureCycles } from '../gateway/measure-cycles.js';
import { gatewayVenue, startGatewayCompanion } from '../gateway/venue.js';
import { warmUpCycles } from '../gateway/warm-up.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';

/** What a signed log costs those who decide. */
export const cycles: Benchmark = {
  name: 'evidence/cycles',
  about:
    'cycles with 64 under way, without a signed log, with one, and with one in which values can be hidden',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    const key = join(folder.path, 'log.key');
    await writeFile(key, `${formatSignerKey(makeSignerKey('bench.example/log'))}\n`, { mode: 0o600 });
    await using without = await startGatewayCompanion({ folder: join(folder.path, 'without') });
    await using signed = await startGatewayCompanion({
      folder: join(folder.path, 'signed'),
      evidence: { key },
    });
    const hiding = { key, hideable: true };
    await using hideable = await startGatewayCompanion({
      folder: join(folder.path, 'hideable'),
      evidence: hiding,
    });
    const venues = [
      gatewayVenue(without, { server: 'without a log' }),
      gatewayVenue(signed, { server: 'signed log' }),
      gatewayVenue(hideable, { server: 'signed log, hideable values' }),
    ];
    await warmUpCycles(venues, { quick, smoke });
    const many = smoke ? 30 : quick ? 400 : 3000;
    const contestants = venues.map(
      (venue): Contestant => ({
        parameters: { server: venue.server },
        round: () =>
          measureCycles(venue, { label: '64 in flight', inFlight: 64, observers: 0, cycles: many }),
      }),
    );
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 15 });
    return compareWithFirst(await measureInTurns(contestants, rounds));
  },
};
