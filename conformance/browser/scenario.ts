import * as core from '@proffer/core';
import { playNegotiation } from './negotiation.js';
import { playOperations } from './operations.js';

/** What core exports, so that all of it is in the bundle. */
export const exported: readonly string[] = Object.keys(core).sort();

/**
 * Does with core what a page in a browser does with it: reads, seals, verifies and folds. Returns
 * everything that came of it in canonical JSON, to be compared byte for byte (I-3).
 */
export function runScenario(): string {
  return core.canonicalJson({
    records: sealAndVerify(),
    operations: playOperations(),
    negotiation: playNegotiation(),
  });
}

const HISTORY: readonly core.RecordContent[] = [
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
    facts: { digest: core.digestJson({ method: 'tools/call' }) },
  },
];

function sealed(): readonly core.SealedRecord[] {
  let head = core.emptyStream('proposal/p-1');
  return HISTORY.map((content) => {
    const record = core.sealRecord(content, head);
    head = core.headAfter(record);
    return record;
  });
}

function sealAndVerify(): core.JsonObject {
  const records = sealed();
  const text = core.canonicalJson(records);
  const changed = records.map((record) => ({ ...record, principal: 'mallory' }));
  const read = core.parseJson(text);
  const verified = core.verifyStream(records);
  const forged = core.verifyStream(changed);
  return {
    text,
    same: read.ok && core.canonicalJson(read.value) === text,
    head: verified.ok && verified.value !== undefined ? { ...verified.value } : null,
    forged: forged.ok ? null : forged.refusal.code,
  };
}
