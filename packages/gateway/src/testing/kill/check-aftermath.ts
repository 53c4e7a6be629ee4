import { expect } from 'vitest';
import type { Aftermath } from './kill-harness.js';

/** Nothing was lost, nothing came twice, and nothing was decided or run twice. */
export function checkAftermath({ clients, executor, records, faults, proposals }: Aftermath): void {
  expect(faults).toEqual([]);
  expect(clients.flatMap(({ broken }) => broken)).toEqual([]);

  const seqs = records.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => left - right));
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  const ids = records.map(({ envelope }) => envelope.id);
  expect(ids).toHaveLength(new Set(ids).size);

  for (const { name, acknowledged, seen } of clients) {
    // All that was acknowledged is there, where it was said to be.
    for (const [id, seq] of acknowledged) {
      expect(bySeq.get(seq)).toMatchObject({ principal: name, envelope: { id } });
    }
    // And everybody saw all there is, once and in order.
    expect(seen.map(({ seq }) => seq)).toEqual(seqs);
  }

  const fulfilled = records.filter(({ type }) => type === 'fulfilled');
  const decided = fulfilled.flatMap((one) => (one.type === 'fulfilled' ? [one.facts.proposal] : []));
  expect(decided).toHaveLength(new Set(decided).size);
  const withdrawn = records.flatMap((one) => (one.type === 'withdrawn' ? [one.facts.proposal] : []));
  // Each was decided, one way: both reviewers tried, so none is left.
  expect([...decided, ...withdrawn].sort()).toEqual([...proposals].sort());
  const ran = executor.seen.filter(({ kind }) => kind.startsWith('mcp.request.')).map(({ id }) => id);
  expect(ran).toEqual(fulfilled.map(({ envelope }) => envelope.id));
}
