import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../envelope/envelope.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { OperationRecord } from '../records.js';
import { isRecordOf } from './is-repeat.js';

const withdrawal: Envelope = {
  protocol: 'mcpx/v0.1',
  id: 'w1',
  ts: '2026-01-01T00:00:00Z',
  from: 'agent',
  kind: 'mcpx.withdraw.proposal',
  correlationId: 'p1',
  payload: {},
};

const recordOf = (envelope: Envelope, facts: object = {}): OperationRecord => ({
  type: 'withdrawn',
  time: 0,
  principal: envelope.from,
  envelope,
  facts: { proposal: 'p1', fingerprint: fingerprint(envelope), ...facts },
});

describe('the record of a message', () => {
  it('O-47: has its id, its sender and its content, whatever its time', () => {
    const record = recordOf(withdrawal);
    expect(isRecordOf(record, withdrawal)).toBe(true);
    expect(isRecordOf(record, { ...withdrawal, ts: '2026-01-02T00:00:00Z' })).toBe(true);
    expect(isRecordOf(record, { ...withdrawal, id: 'w2' })).toBe(false);
    expect(isRecordOf(record, { ...withdrawal, from: 'other' })).toBe(false);
    expect(isRecordOf(record, { ...withdrawal, payload: { reason: 'other' } })).toBe(false);
  });

  it('O-47: may be that of a part of it', () => {
    const batch = { ...withdrawal, correlationId: ['p1', 'p2'] };
    const part = { ...batch, id: 'w1#1', correlationId: 'p1' };
    const record = recordOf(part, { batch: { id: 'w1', fingerprint: fingerprint(batch) } });
    expect(isRecordOf(record, batch)).toBe(true);
    expect(isRecordOf(record, part)).toBe(true);
    expect(isRecordOf(record, { ...batch, correlationId: ['p1', 'p3'] })).toBe(false);
    expect(isRecordOf(record, { ...batch, id: 'w2' })).toBe(false);
    expect(isRecordOf(recordOf(part), batch)).toBe(false);
  });

  it('O-47: is never a notice of the gateway', () => {
    const notice = { type: 'notified', time: 0, principal: 'agent', envelope: withdrawal, facts: {} };
    expect(isRecordOf(notice as unknown as OperationRecord, withdrawal)).toBe(false);
  });
});
