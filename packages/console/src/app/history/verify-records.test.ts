import { connect } from '@proffer/client';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import { recordInMessage } from '@proffer/core/operations';
import { type SealedRecord, sealRecord } from '@proffer/core/records';
import { startOnLoopback } from '@proffer/gateway';
import { beforeAll, expect, it } from 'vitest';
import type { PlacedRecord } from './read-records.js';
import { describeVerdict } from './verdict-words.js';
import { verifyRecords } from './verify-records.js';

const SPACE = 'main';
const CALL = { name: 'write_file', arguments: { path: '/a' } };

/** Of two proposals: one ran, one was withdrawn. */
let records: readonly PlacedRecord[] = [];

beforeAll(async () => {
  await using gateway = await startOnLoopback('dev: true');
  const url = `http://127.0.0.1:${gateway.port}`;
  const [agent, reviewer, files] = await Promise.all(
    ['agent', 'reviewer', 'files'].map((token) => connect({ url, token, space: SPACE })),
  );
  if (agent === undefined || reviewer === undefined || files === undefined) return;
  await files.serve([{ name: CALL.name, handler: () => 'done' }]);
  const [ran, withdrawn] = [agent.propose('tools/call', CALL), agent.propose('tools/call', CALL)];
  withdrawn.catch(() => {});
  await Promise.all([ran.accepted, withdrawn.accepted]);
  await reviewer.fulfil({ id: ran.id, method: 'tools/call' }, CALL);
  await ran;
  await agent.withdraw(withdrawn.id);
  const response = await fetch(`${url}/spaces/${SPACE}/feed?records=true`, {
    headers: { authorization: 'Bearer reviewer' },
  });
  const { messages } = (await response.json()) as JsonObject;
  records = objectsIn(messages).flatMap((message) => {
    const record = recordInMessage(message);
    return record === undefined ? [] : [{ ...record, seq: Number(message['seq']) }];
  });
  await Promise.all([agent, reviewer, files].map((one) => one.close()));
});

/** Sealed again, so that every chain is in order. */
function sealedAgain(forged: readonly PlacedRecord[]): readonly PlacedRecord[] {
  const heads = new Map<string, SealedRecord>();
  return forged.map(({ type, time, principal, envelope, facts, stream, seq }) => {
    const head = heads.get(stream) ?? { stream, version: 0, hash: '' };
    const content = { type, time, principal, envelope, facts } as PlacedRecord;
    const sealed = sealRecord(content, { stream, version: head.version, hash: head.hash });
    heads.set(stream, sealed);
    return { ...sealed, seq };
  });
}

it('I-11: decides everything again that a participant sees, and says what it cannot know', () => {
  const told: number[] = [];
  const verdict = verifyRecords(records, { space: SPACE, onProgress: (done) => told.push(done) });
  expect(verdict).toMatchObject({ partial: 0, incomplete: 0, unreadable: 0, problems: [] });
  expect(verdict.decided).toBeGreaterThanOrEqual(5);
  expect(describeVerdict(verdict).join(' ')).toMatch(/^Intact: .* Decided again: .* proffer verify\.$/);
});

it('I-11, O-12: finds a call that runs a second time although its chain is in order', () => {
  const ran = records.find(({ type }) => type === 'fulfilled');
  if (ran === undefined) throw new Error('Nothing ran.');
  const again = { ...ran, envelope: { ...ran.envelope, id: 'again' } };
  const { problems } = verifyRecords(sealedAgain([...records, again]), { space: SPACE });
  expect(problems).toEqual([
    expect.stringMatching(
      /^Seq \d+, record \d of “?"?main\/.* should have been refused \(proposal_not_pending\)/,
    ),
  ]);
});

it('I-11: finds a call that was changed beside its digest, although its chain is in order', () => {
  const forged = records.map((record) => {
    if (record.type !== 'fulfilled') return record;
    const payload = { ...record.envelope.payload, digest: `sha256:${'0'.repeat(64)}` };
    return { ...record, envelope: { ...record.envelope, payload } };
  });
  const verdict = verifyRecords(sealedAgain(forged), { space: SPACE });
  expect(describeVerdict(verdict)[0]).toMatch(/should have been refused \(digest_mismatch\)/);
});

it('I-11, O-43: says what could not be decided again because something is hidden', () => {
  const hidden = records.filter(({ type }) => type !== 'proposed');
  const verdict = verifyRecords(hidden, { space: SPACE });
  expect(verdict).toMatchObject({ decided: 0, problems: [] });
  expect(verdict.incomplete).toBeGreaterThan(2);
  expect(describeVerdict(verdict).join(' ')).toMatch(/Not decided again: \d+ records whose proposal/);
});
