import { describe, expect, it } from 'vitest';
import { defined } from '../../json/defined.js';
import type { JsonObject } from '../../json/json.js';
import type { Salts } from '../../record/salted.js';
import { emptyStream, sealRecord } from '../../record/seal.js';
import { verifyStream } from '../../record/verify.js';
import type { OperationRecord } from '../records.js';
import { deliveredEnvelope, recordBeside, recordInMessage, type SealedOperation } from './delivery.js';

const envelope = {
  protocol: 'mcpx/v0.1',
  id: 'r1',
  ts: '2026-11-17T00:00:00.000Z',
  from: 'reviewer',
  kind: 'mcp.request.tools/call:echo',
  correlationId: 'p1',
  payload: { jsonrpc: '2.0', id: 'r1', method: 'tools/call', params: { name: 'echo' } },
} as const;

const facts = { proposal: 'p1', fingerprint: 'x', proposedDigest: 'd', ranDigest: 'd', amendment: [] };

function sealed(more: JsonObject, salts?: Salts): SealedOperation {
  const content = {
    type: 'fulfilled',
    time: 1,
    principal: 'reviewer',
    envelope,
    facts: { ...facts, ...more },
    ...defined({ salts }),
  };
  return sealRecord(content as unknown as OperationRecord, emptyStream('main/proposal/p1'));
}

describe('a message delivered with its record', () => {
  it.each([
    ['as it was sent', {}],
    ['to the executor that the gateway found', { executor: 'tools' }],
    ['with salts', {}, { '/facts/ranDigest': 'salt' }],
  ])('I-3: gives back what was sealed, %s', (_, more: JsonObject, salts?: Salts) => {
    const record = sealed(more, salts);
    const text = JSON.stringify({ ...deliveredEnvelope(record), seq: 7, record: recordBeside(record) });
    const read = recordInMessage(JSON.parse(text) as JsonObject);
    expect(read).toEqual(record);
    expect(verifyStream([read as SealedOperation]).ok).toBe(true);
  });

  it('a message without one has none', () => {
    expect(recordInMessage({ ...envelope, seq: 7 })).toBeUndefined();
  });
});
