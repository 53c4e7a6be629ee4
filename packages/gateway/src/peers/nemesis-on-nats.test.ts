import { expect, it } from 'vitest';
import { checkAftermath } from '../testing/kill/check-aftermath.js';
import { runNemesis } from '../testing/nemesis/run-nemesis.js';

const SECONDS = Number(process.env['NEMESIS_SECONDS'] ?? 6);
const GATEWAYS = Number(process.env['NEMESIS_GATEWAYS'] ?? 3);
const SEED = Number(process.env['NEMESIS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

it(
  `I-1, I-2, I-6, O-12: with ${GATEWAYS} gateways and three servers that fail at random for ${SECONDS} s, nothing is lost, repeated or run twice (NEMESIS_SEED=${SEED})`,
  async () => {
    const done: string[] = [];
    try {
      const aftermath = await runNemesis({ gateways: GATEWAYS, seconds: SECONDS, seed: SEED }, (one) =>
        done.push(one),
      );
      checkAftermath(aftermath);
      expect(done).not.toEqual([]);
    } catch (error) {
      throw new Error(`NEMESIS_SEED=${SEED}: ${done.join(', ')}`, { cause: error });
    }
  },
  SECONDS * 1_000 + 300_000,
);
