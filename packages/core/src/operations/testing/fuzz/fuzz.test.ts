import { expect, it } from 'vitest';
import { canonicalJson } from '../../../json/canonical.js';
import { emptySpace, evolveSpace } from '../../space/space.js';
import { viewSpace } from '../../space/space-view.js';
import { type Coverage, cover } from './coverage.js';
import { playHistory } from './history.js';
import { judge } from './judge/judge.js';

/** Some with every test run; `npm run fuzz` plays a million. */
const HISTORIES = 400;

it('O-12, O-26, O-28, O-29, O-30, O-33, O-34, O-35, O-36, O-37, O-40, O-41, I-2, I-4: on two gateways, with lag and kills, nothing runs twice, too early, too late, or without its policy met by exactly what ran', () => {
  const coverage: Coverage = new Map();
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const history = playHistory(seed);
    cover(coverage, history);
    const wrong = judge(history.journal, history.scenario);
    if (wrong !== undefined) throw new Error(`seed ${seed}: ${wrong}`);
  }
  // A sanity check: enough happened.
  for (const what of [
    'approved alone by an agent',
    'approved before its dependencies',
    'approved for another',
    'approvals_paused',
    'conflict',
    'decision lost by a kill',
    'dependency_failed',
    'escalated',
    'executor_confirmed',
    'grant_used',
    'part of a batch',
    'ran by an accepted counter-offer',
    'ran by several approvals',
    'renewed',
    'rested on a grant',
  ])
    expect([...coverage.keys()]).toContain(what);
  expect(coverage.get('ran under a policy')).toBeGreaterThan(HISTORIES / 10);
});

it('O-34, O-37, O-40, O-41, I-3: replay gives the same state', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { scenario, journal } = playHistory(seed);
    const records = journal.map(({ record }) => record);
    const begin = emptySpace(scenario.settings);
    const once = records.reduce(evolveSpace, begin);
    const again = records.reduce(evolveSpace, begin);
    expect(canonicalJson(viewSpace(once))).toBe(canonicalJson(viewSpace(again)));
  }
});

it('O-12: the judge notices a journal in which something runs twice, or without its approvals', () => {
  const broken: (string | undefined)[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const { scenario, journal } = playHistory(seed);
    const ran = journal.find(({ record }) => record.type === 'fulfilled');
    if (ran === undefined) continue;
    broken.push(judge([...journal, ran], scenario));
    // What runs by a grant needs no approval.
    const isDerived = ran.record.envelope.id.startsWith('system:') && !('grant' in ran.record.facts);
    const isApproval = ({ record: { type } }: typeof ran): boolean =>
      type === 'approved' || type === 'counter_accepted';
    if (isDerived)
      broken.push(
        judge(
          journal.filter((each) => !isApproval(each)),
          scenario,
        ),
      );
  }
  expect(broken.length).toBeGreaterThan(100);
  expect(broken).not.toContain(undefined);
});
