import { sessionStream } from '@proffer/core/negotiation';
import { expect, it } from 'vitest';
import { killDuringSessions } from '../testing/kill/session-kill-harness.js';

const IS_LONG = process.env['PROFFER_LONG'] !== undefined;
const KILLS = IS_LONG ? 200 : 10;

/** Milliseconds; starting a process takes its time on a busy machine. */
const TIMEOUT = IS_LONG ? 1_200_000 : 180_000;
const SEED = Number(process.env['PROFFER_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

it(
  `I-1, I-2, I-6, N-6: killed ${KILLS} times, sessions lose nothing, repeat nothing and have one outcome each (PROFFER_SEED=${SEED})`,
  async () => {
    const { sessions, records, faults } = await killDuringSessions(KILLS, SEED);
    expect(faults).toEqual([]);
    expect(sessions.length).toBeGreaterThan(0);
    for (const { id, acknowledged, seen } of sessions) {
      const own = records.filter(({ stream }) => stream === sessionStream(id));
      const told = own.map(({ version, envelope }) => [version, envelope.message_id]);
      expect(told.map(([version]) => version)).toEqual(own.map((_, index) => index + 1));
      expect(new Set(told.map(([, messageId]) => messageId)).size).toBe(own.length);
      // All that was acknowledged is there, where it was said to be.
      for (const [messageId, sequence] of acknowledged) expect(told).toContainEqual([sequence, messageId]);
      // There is one outcome, and it is the end.
      const outcomes = own.filter(({ envelope }) => envelope.message_type === 'Commitment');
      expect(outcomes.map(({ version }) => version)).toEqual([own.length]);
      // And everybody saw all there is, once and in order.
      for (const messages of seen) expect(messages).toEqual(told);
    }
  },
  TIMEOUT,
);
