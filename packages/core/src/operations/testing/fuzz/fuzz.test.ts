import { expect, it } from 'vitest';
import { canonicalJson } from '../../../json/canonical.js';
import { spaceSettings } from '../../settings.js';
import { emptySpace, evolveSpace } from '../../space/space.js';
import { viewSpace } from '../../space/space-view.js';
import { playHistory } from './history.js';
import { judge } from './judge.js';

/** How many histories: some with every test run, as many as PROFFER_FUZZ says in `npm run fuzz`. */
const HISTORIES = Number(process.env['PROFFER_FUZZ'] ?? 400);
const FIRST_SEED = Number(process.env['PROFFER_FUZZ_SEED'] ?? 1);

it('O-12, O-28, O-29, O-30, O-34, O-37, I-2: on two gateways, with lag and kills, nothing runs twice, too early, or without its policy met', {
  timeout: 24 * 3_600_000,
}, () => {
  const reached = new Set<string>();
  const [runs, firstSeed] = [{ total: 0 }, FIRST_SEED];
  for (let seed = firstSeed; seed < firstSeed + HISTORIES; seed++) {
    const { entry, journal } = playHistory(seed);
    const wrong = judge(journal, entry);
    if (wrong !== undefined) throw new Error(`seed ${seed}: ${wrong}`);
    for (const { type, facts } of journal) {
      if (type === 'fulfilled') runs.total++;
      reached.add(type);
      if ('onBehalfOf' in facts && facts.onBehalfOf !== undefined) reached.add('on behalf');
      if ('waitsFor' in facts) reached.add('approved early');
    }
    if (seed % 10_000 === 0) process.stderr.write(`${seed - firstSeed + 1} histories, ${runs.total} runs\n`);
  }
  // Enough happened to say something.
  for (const what of [
    'acted_alone',
    'approved early',
    'dependencies_met',
    'dependency_failed',
    'escalated',
    'on behalf',
  ])
    expect(reached).toContain(what);
  expect(runs.total).toBeGreaterThan(HISTORIES / 5);
});

it('O-34, O-37, I-3: replay gives the same state', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { entry, journal } = playHistory(seed);
    const begin = emptySpace(spaceSettings({ name: 'main', review: [entry] }));
    const once = journal.reduce(evolveSpace, begin);
    const again = journal.reduce(evolveSpace, begin);
    expect(canonicalJson(viewSpace(once))).toBe(canonicalJson(viewSpace(again)));
  }
});

it('O-12: the judge would notice: a journal in which something runs twice, or unapproved, is found', () => {
  const broken: (string | undefined)[] = [];
  for (let seed = 1; seed <= 300; seed++) {
    const { entry, journal } = playHistory(seed);
    const ran = journal.find(({ type }) => type === 'fulfilled');
    if (ran === undefined) continue;
    broken.push(judge([...journal, ran], entry));
    const unapproved = journal.filter(({ type }) => type !== 'approved');
    if (entry.approvals > 1 && !('alone' in ran.facts)) broken.push(judge(unapproved, entry));
  }
  expect(broken.length).toBeGreaterThan(50);
  expect(broken).not.toContain(undefined);
});
