import { servedModes } from '@proffer/core/negotiation';
import { expect, it } from 'vitest';
import { checkSessions } from '../testing/kill/check-sessions.js';
import { startAlone } from '../testing/kill/fleet.js';
import { killDuringSessions } from '../testing/kill/session-kill-harness.js';

const IS_LONG = process.env['PROFFER_LONG'] !== undefined;
const KILLS = IS_LONG ? 200 : 10;

/** Milliseconds; starting a process takes a while on a busy machine. */
const TIMEOUT = IS_LONG ? 1_200_000 : 180_000;
const SEED = Number(process.env['PROFFER_SEED']);

it(
  `I-1, I-2, I-6, N-6: killed ${KILLS} times, sessions of every mode lose nothing, repeat nothing and have one outcome each (PROFFER_SEED=${SEED})`,
  async () => {
    const { history, faults } = await killDuringSessions(KILLS, SEED, startAlone);
    expect(faults).toEqual([]);
    expect(new Set(history.sessions.map(({ mode }) => mode)).size).toBe(servedModes().length);
    expect(checkSessions(history)).toEqual([]);
  },
  TIMEOUT,
);
