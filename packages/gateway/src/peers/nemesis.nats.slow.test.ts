import { expect, it } from 'vitest';
import { checkHistory } from '../testing/nemesis/history.js';
import { type NemesisOptions, runNemesis } from '../testing/nemesis/run-nemesis.js';
import { KEPT_SEEDS } from '../testing/nemesis/seeds.js';

// `npm run nemesis` says what to run; otherwise it is a short run, and the long tests also repeat past
// failures.
const {
  NEMESIS_SECONDS,
  NEMESIS_GATEWAYS,
  NEMESIS_SEED,
  NEMESIS_SYNC,
  NEMESIS_KEPT,
  NEMESIS_KEEP,
  PROFFER_LONG,
  PROFFER_SEED,
} = process.env;
const kept: readonly NemesisOptions[] = (NEMESIS_KEPT ?? PROFFER_LONG) === undefined ? [] : KEPT_SEEDS;

/** The minimum load of the short run: with less it would show nothing. */
const MIN_LOAD = { proposals: 200, sessions: 20, streams: 20 };

const given: NemesisOptions = {
  seconds: Number(NEMESIS_SECONDS ?? 60),
  gateways: Number(NEMESIS_GATEWAYS ?? 3),
  seed: Number(NEMESIS_SEED ?? PROFFER_SEED),
  sync: NEMESIS_SYNC !== 'default',
  // Next to all the other tests it leaves them most of the CPU.
  ...(NEMESIS_SECONDS === undefined ? { isLight: true, least: MIN_LOAD } : {}),
};

/** How long a run may take besides its faults, in milliseconds: it watches itself, so this is not reached. */
const OVERHEAD = 1_200_000;

for (const { seconds, gateways, seed, sync, isLight, least } of [...kept, given]) {
  it(
    `I-1, I-2, I-6, O-12, O-27, N-6: with ${gateways} gateways and three servers that fail at random for ${seconds} s, nothing is lost, repeated or run twice (NEMESIS_SEED=${seed})`,
    async () => {
      const tell = (text: string): void => void (NEMESIS_SECONDS !== undefined && process.stderr.write(text));
      const options = { seconds, gateways, seed, sync, isLight, least, keep: NEMESIS_KEEP };
      const history = await runNemesis(options, tell);
      const { operations, sessions, streams, faults } = history;
      const done = {
        proposals: operations.proposals.length,
        sessions: sessions.sessions.length,
        streams: streams.streams.length,
      };
      tell(`${faults.length} faults, ${operations.records.length} records, ${JSON.stringify(done)}\n`);
      expect({ wrong: checkHistory(history), faults }).toEqual({ wrong: [], faults });
      expect(faults.length).toBeGreaterThanOrEqual(seconds / 6);
      expect(Math.min(...Object.values(done))).toBeGreaterThan(0);
    },
    seconds * 1_000 + OVERHEAD,
  );
}
