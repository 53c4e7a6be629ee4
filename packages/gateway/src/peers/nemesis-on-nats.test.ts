import { expect, it } from 'vitest';
import { checkHistory } from '../testing/nemesis/history.js';
import { type NemesisOptions, runNemesis } from '../testing/nemesis/run-nemesis.js';
import { KEPT_SEEDS } from '../testing/nemesis/seeds.js';

// `npm run nemesis` says what to run; otherwise it is a short run, and in the long tests those that failed once too.
const {
  NEMESIS_SECONDS,
  NEMESIS_GATEWAYS,
  NEMESIS_SEED,
  NEMESIS_SYNC,
  NEMESIS_KEPT,
  NEMESIS_KEEP,
  PROFFER_LONG,
} = process.env;
const kept = (NEMESIS_KEPT ?? PROFFER_LONG) === undefined ? [] : KEPT_SEEDS;

const given: NemesisOptions = {
  seconds: Number(NEMESIS_SECONDS ?? 6),
  gateways: Number(NEMESIS_GATEWAYS ?? 3),
  seed: Number(NEMESIS_SEED ?? Math.floor(Math.random() * 2 ** 31)),
  sync: NEMESIS_SYNC !== 'default',
};

/** How long a run may take beside its faults, in milliseconds: it watches itself, so this is not reached. */
const BESIDE = 1_200_000;

for (const { seconds, gateways, seed, sync } of [...kept, given])
  it(
    `I-1, I-2, I-6, O-12, N-6: with ${gateways} gateways and three servers that fail at random for ${seconds} s, nothing is lost, repeated or run twice (NEMESIS_SEED=${seed})`,
    async () => {
      const tell = (text: string): void => void (NEMESIS_SECONDS !== undefined && process.stderr.write(text));
      const history = await runNemesis({ seconds, gateways, seed, sync, keep: NEMESIS_KEEP }, tell);
      const { operations, sessions, faults } = history;
      tell(
        `${faults.length} faults, ${operations.records.length} records, ${operations.proposals.length} proposals, ${sessions.sessions.length} sessions\n`,
      );
      expect({ wrong: checkHistory(history), faults }).toEqual({ wrong: [], faults });
      expect(operations.proposals.length).toBeGreaterThan(0);
      expect(sessions.sessions.length).toBeGreaterThan(0);
    },
    seconds * 1_000 + BESIDE,
  );
