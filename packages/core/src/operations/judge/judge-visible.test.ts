import { expect, it } from 'vitest';
import { isProposalRecord, type OperationRecord, streamOf } from '../records.js';
import { cheapHash } from '../testing/fuzz/call.js';
import { playHistory } from '../testing/fuzz/history.js';
import { createRandom } from '../testing/fuzz/random.js';
import { message } from '../testing/world.js';
import type { JudgedRecord } from './judge-space.js';
import { type JudgedVisible, judgeVisible } from './judge-visible.js';

const HISTORIES = 40;

/** Records as they are in the journal. */
function placed(records: readonly OperationRecord[]): readonly JudgedRecord[] {
  const versions = new Map<string, number>();
  return records.map((record) => {
    const stream = streamOf('main', record);
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    return { ...record, stream, version };
  });
}

function judged(records: readonly JudgedRecord[]): JudgedVisible {
  const judge = judgeVisible({ name: 'main', hash: cheapHash });
  for (const [at, record] of records.entries()) {
    const next = records[at + 1];
    judge.judge(record, next?.stream === record.stream ? next : undefined);
  }
  return judge.found;
}

const histories = Array.from({ length: HISTORIES }, (_, seed) =>
  placed(playHistory(seed + 1).journal.map(({ record }) => record)),
);

it('I-11: judges every record of whoever sees all of them, and holds what gateways decided', () => {
  for (const records of histories)
    expect(judged(records)).toEqual({
      decided: records.filter(isProposalRecord).length,
      incomplete: 0,
      unreadable: 0,
      faults: [],
    });
});

it('I-11, O-43: accuses nobody because something is hidden, whatever it is', () => {
  let incomplete = 0;
  for (const [seed, records] of histories.entries()) {
    const random = createRandom(seed + 1);
    for (const share of [2, 8]) {
      const streams = new Set(records.map(({ stream }) => stream).filter(() => random.once(share)));
      const cut = random.below(records.length);
      for (const seen of [
        records.filter(() => !random.once(share)),
        records.filter(({ stream }) => !streams.has(stream)),
        records.slice(cut),
        // What comes later in these is hidden.
        records.filter(({ stream }, at) => at < cut || !streams.has(stream)),
      ]) {
        const found = judged(seen);
        expect(found.faults, `history ${seed + 1}`).toEqual([]);
        expect(found.decided + found.incomplete).toBe(seen.filter(isProposalRecord).length);
        incomplete += found.incomplete;
      }
    }
  }
  expect(incomplete).toBeGreaterThan(100);
});

it('I-11, O-43: does not take a pause as lasting whose end may be hidden', () => {
  for (const records of histories) {
    const time = records[0]?.time ?? 0;
    const envelope = message('olga', 'stop', 'mcpx.pause.approvals', {});
    const facts = { participant: 'olga', fingerprint: 'stop' };
    const pause = { type: 'approvals_paused', time, principal: 'olga', envelope, facts } as const;
    const stream = streamOf('main', pause);
    expect(judged([{ ...pause, stream, version: 1 }, ...records]).faults).toEqual([]);
  }
});

it.each([
  ['a call that runs a second time', 'fulfilled', (who: string) => who, /proposal_not_pending/],
  ['a response by somebody who was not asked', 'answered', () => 'dora', /not_executor|late/],
  ['a withdrawal by somebody else', 'withdrawn', () => 'dora', /not_proposer/],
])('I-11, O-12, O-15: finds %s, though only one proposal is seen', (_, type, by, code) => {
  let forged = 0;
  for (const records of histories) {
    const original = records.find((record) => record.type === type && isProposalRecord(record));
    if (original === undefined) continue;
    forged++;
    const from = by(original.principal);
    const envelope = { ...original.envelope, id: 'forged', from };
    const own = records.filter(({ stream }) => stream === original.stream);
    // In its place, or after everything.
    const forgery = { ...original, principal: from, envelope } as OperationRecord;
    const chain = own.flatMap((record) => (record !== original ? [record] : [forgery]));
    const { faults } = judged(placed(type === 'fulfilled' ? [...own, forgery] : chain));
    expect(faults).toContainEqual(
      expect.objectContaining({ what: 'refused', code: expect.stringMatching(code) }),
    );
  }
  expect(forged).toBeGreaterThan(3);
});

it('I-11: stops at what this release cannot read, and says how much that is', () => {
  const [records = []] = histories;
  const broken = records.map((record) =>
    isProposalRecord(record)
      ? ({ ...record, facts: { proposal: record.facts.proposal } } as JudgedRecord)
      : record,
  );
  const { decided, unreadable, faults } = judged(broken);
  expect(faults).toEqual([]);
  expect(unreadable).toBeGreaterThan(0);
  expect(decided + unreadable).toBe(records.filter(isProposalRecord).length);
});
