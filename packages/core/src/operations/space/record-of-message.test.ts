import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../envelope/envelope.js';
import type { OperationRecord } from '../records.js';
import { isRecordOf, saidIn } from './recent-ids.js';

const withdrawal: Envelope = {
  protocol: 'mcpx/v0.1',
  id: 'w1',
  ts: '2026-01-01T00:00:00Z',
  from: 'agent',
  kind: 'mcpx.withdraw.proposal',
  correlationId: 'p1',
  payload: {},
};

const recordOf = (envelope: Envelope): OperationRecord => ({
  type: 'withdrawn',
  time: 0,
  principal: envelope.from,
  envelope,
  facts: { proposal: 'p1', fingerprint: saidIn(envelope).fingerprint },
});

const isOf = (record: OperationRecord, envelope: Envelope): boolean =>
  isRecordOf(record, envelope, saidIn(envelope));

describe('the record of a message', () => {
  it('O-47: has its id, its sender and its content, whatever its time', () => {
    const record = recordOf(withdrawal);
    expect(isOf(record, withdrawal)).toBe(true);
    expect(isOf(record, { ...withdrawal, ts: '2026-01-02T00:00:00Z' })).toBe(true);
    expect(isOf(record, { ...withdrawal, id: 'w2' })).toBe(false);
    expect(isOf(record, { ...withdrawal, from: 'other' })).toBe(false);
    expect(isOf(record, { ...withdrawal, payload: { reason: 'other' } })).toBe(false);
  });

  it('O-47: may be that of a part of it', () => {
    const batch = { ...withdrawal, correlationId: ['p1', 'p2'] };
    const part = { ...batch, id: 'w1#1', correlationId: 'p1' };
    expect(isRecordOf(recordOf(part), batch, saidIn(part))).toBe(true);
    expect(isRecordOf(recordOf(part), { id: 'w' }, saidIn(part))).toBe(false);
    expect(isRecordOf(recordOf(part), batch, saidIn({ ...part, correlationId: 'p2' }))).toBe(false);
  });

  it('O-47: is never a notice of the gateway', () => {
    const notice = { type: 'notified', time: 0, principal: 'agent', envelope: withdrawal, facts: {} };
    expect(isOf(notice as unknown as OperationRecord, withdrawal)).toBe(false);
  });
});
