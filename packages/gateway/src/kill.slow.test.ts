import { expect, it } from 'vitest';
import { checkOperations } from './testing/kill/check-operations.js';
import { startAlone } from './testing/kill/fleet.js';
import { killAgainAndAgain } from './testing/kill/kill-harness.js';
import { signing } from './testing/kill/signed-fleet.js';

const KILLS = process.env['PROFFER_LONG'] === undefined ? 10 : 200;
const SEED = Number(process.env['PROFFER_SEED']);

it(`I-1, I-2, I-6, O-12, O-22: killed ${KILLS} times under load, it loses nothing, repeats nothing and runs nothing twice (PROFFER_SEED=${SEED})`, async () => {
  const { history, faults } = await killAgainAndAgain(KILLS, SEED, startAlone);
  expect(faults).toEqual([]);
  expect(checkOperations(history)).toEqual([]);
  const count = (type: string) => history.records.filter((record) => record.type === type).length;
  expect(count('answered')).toBe(count('fulfilled'));
});

it(`I-1, I-9, I-11: killed while it signs its log, it stays with what it signed, and everything can be decided again (PROFFER_SEED=${SEED})`, async () => {
  const problems: unknown[] = [];
  const fleet = signing(startAlone, (problem) => problems.push(problem));
  const { history, faults } = await killAgainAndAgain(KILLS, SEED, fleet);
  expect(faults).toEqual([]);
  expect(problems).toEqual([]);
  expect(checkOperations(history)).toEqual([]);
});
