import { it } from 'vitest';
import { startAlone } from '../testing/kill/fleet.js';
import { killWhileGrantIsUsed } from '../testing/kill/grant-harness.js';

const KILLS = process.env['PROFFER_LONG'] === undefined ? 3 : 30;

it(`O-41, I-1: killed ${KILLS} times while a grant is used, it wastes uses at most, and adds none`, async () => {
  await killWhileGrantIsUsed(KILLS, startAlone);
});
