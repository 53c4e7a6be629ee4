import { expect, it } from 'vitest';
import { defined } from '../../json/defined.js';
import { streamOf } from '../records.js';
import { cheapHash } from '../testing/fuzz/call.js';
import { NAMES, rightsOf } from '../testing/fuzz/cast.js';
import { type History, playHistory } from '../testing/fuzz/history.js';
import { type JudgedRecord, judgeSpace, type Misjudged } from './judge-space.js';
import { type WrittenRules, writeRights } from './rules.js';

const HISTORIES = 60;

function rulesIn({ rights, settings }: History['scenario']): WrittenRules {
  const written = NAMES.map((name) => [name, rightsOf(rights, name)] as const);
  const participants = Object.fromEntries(
    written.flatMap(([name, known]) => (known === undefined ? [] : [[name, writeRights(known)] as const])),
  );
  return { settings, participants };
}

/** What a judge finds in records that two gateways wrote. */
function judged(
  records: readonly History['journal'][number]['record'][],
  rules: WrittenRules | undefined,
): readonly Misjudged[] {
  const judge = judgeSpace({ name: 'main', hash: cheapHash, hasSeveralWriters: true });
  if (rules !== undefined) judge.follow(rules, 0);
  const versions = new Map<string, number>();
  const last = new Map(records.map((record, at) => [streamOf('main', record), at]));
  return records.flatMap((record, at) => {
    const stream = streamOf('main', record);
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    const stored = { ...record, stream, version } as JudgedRecord;
    const found = judge.judge(stored, records[at + 1], last.get(stream) === at);
    return found === undefined || found.what === 'delayed' ? [] : [found];
  });
}

function histories(): readonly History[] {
  return Array.from({ length: HISTORIES }, (_, seed) => playHistory(seed + 1));
}

it('I-11: holds what gateways decided, however late they knew of each other, and before rules were recorded', () => {
  for (const { seed, scenario, journal } of histories()) {
    const records = journal.map(({ record }) => record);
    for (const rules of [rulesIn(scenario), undefined])
      expect(judged(records, rules), `seed ${seed}`).toEqual([]);
  }
});

it('I-11, O-12: finds a call that runs a second time, whatever the rules', () => {
  let forged = 0;
  for (const { scenario, journal } of histories()) {
    const records = journal.map(({ record }) => record);
    const ran = records.find(({ type }) => type === 'fulfilled');
    if (ran === undefined) continue;
    forged++;
    const again = { ...ran, envelope: { ...ran.envelope, id: 'again' } };
    for (const rules of [rulesIn(scenario), undefined])
      expect(judged([...records, again], rules)).toContainEqual(
        expect.objectContaining({
          what: 'refused',
          code: expect.stringMatching('proposal_not_pending|approvals_paused'),
        }),
      );
  }
  expect(forged).toBeGreaterThan(HISTORIES / 4);
});

it('I-11, O-28: finds an approval that is not there any more, if the call ran by it', () => {
  let forged = 0;
  for (const { scenario, journal } of histories()) {
    const records = journal.map(({ record }) => record);
    const ran = records.find(
      ({ type, facts }) => type === 'fulfilled' && 'needed' in facts && facts.needed === 2,
    );
    const approval = records.find(
      ({ type, facts }) =>
        type === 'approved' &&
        'proposal' in facts &&
        facts.proposal === (ran?.facts as { readonly proposal?: string } | undefined)?.proposal &&
        'given' in facts &&
        facts.given === 1,
    );
    const isAlone = ran !== undefined && 'alone' in ran.facts;
    if (approval === undefined || isAlone) continue;
    forged++;
    const without = records.filter((record) => record !== approval);
    expect(judged(without, rulesIn(scenario))).not.toEqual([]);
  }
  expect(forged).toBeGreaterThan(0);
});

it('I-11, O-15: finds what somebody did in the name of somebody who may not', () => {
  let forged = 0;
  for (const { scenario, journal } of histories()) {
    const records = journal.map(({ record }) => record);
    for (const [type, code] of [
      ['withdrawn', 'not_proposer'],
      ['renewed', 'not_proposer'],
      ['answered', 'not_executor'],
    ] as const) {
      const at = records.findIndex((record) => record.type === type);
      const record = records[at];
      if (record === undefined) continue;
      forged++;
      const other = 'dora';
      const forgery = { ...record, principal: other, envelope: { ...record.envelope, from: other } };
      const found = judged(records.toSpliced(at, 1, forgery as typeof record), rulesIn(scenario));
      expect(found.map((each) => defined({ code: each.code }))).toContainEqual({
        code: expect.stringMatching(`${code}|capability_violation`),
      });
    }
  }
  expect(forged).toBeGreaterThan(20);
});
