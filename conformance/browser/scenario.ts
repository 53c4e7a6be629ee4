import * as core from '@proffer/core';
import { digestJson } from '@proffer/core';
import * as capability from '@proffer/core/capability';
import * as json from '@proffer/core/json';
import { canonicalJson, type JsonObject, parseJson } from '@proffer/core/json';
import * as negotiation from '@proffer/core/negotiation';
import * as operations from '@proffer/core/operations';
import * as records from '@proffer/core/records';
import {
  emptyStream,
  headAfter,
  type RecordContent,
  type SealedRecord,
  sealRecord,
  verifyStream,
} from '@proffer/core/records';
import { playNegotiation } from './negotiation.js';
import { playOperations } from './operations.js';

/** Exports of core and its subpaths, so that all of it is bundled. */
export const exported: readonly string[] = [core, capability, json, negotiation, operations, records]
  .flatMap((part) => Object.keys(part))
  .sort();

/**
 * Uses core like a page in a browser: reads, seals, verifies and folds. Returns all results as canonical
 * JSON, to compare byte for byte (I-3).
 */
export function runScenario(): string {
  return canonicalJson({
    records: sealAndVerify(),
    operations: playOperations(),
    negotiation: playNegotiation(),
  });
}

const HISTORY: readonly RecordContent[] = [
  {
    type: 'proposed',
    time: 1_700_000_000_000,
    principal: 'agent',
    envelope: {
      id: 'p-1',
      payload: { method: 'tools/call', params: { name: 'write_file', text: 'Grüße 🙂' } },
    },
  },
  {
    type: 'fulfilled',
    time: 1_700_000_000_250,
    principal: 'reviewer',
    envelope: { id: 'r-1', correlationId: 'p-1', payload: { numbers: [1e21, -0, 0.1, 1 / 3] } },
    facts: { digest: digestJson({ method: 'tools/call' }) },
  },
];

function sealed(): readonly SealedRecord[] {
  let head = emptyStream('proposal/p-1');
  return HISTORY.map((content) => {
    const record = sealRecord(content, head);
    head = headAfter(record);
    return record;
  });
}

function sealAndVerify(): JsonObject {
  const records = sealed();
  const text = canonicalJson(records);
  const changed = records.map((record) => ({ ...record, principal: 'mallory' }));
  const read = parseJson(text);
  const verified = verifyStream(records);
  const forged = verifyStream(changed);
  return {
    text,
    same: read.ok && canonicalJson(read.value) === text,
    head: verified.ok && verified.value !== undefined ? { ...verified.value } : null,
    forged: forged.ok ? null : forged.refusal.code,
  };
}
