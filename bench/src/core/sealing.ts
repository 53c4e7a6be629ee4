import { sha256 } from '@proffer/core';
import { canonicalJson } from '@proffer/core/json';
import { type RecordContent } from '@proffer/core/records';
import type { Benchmark, Measurement } from '../benchmark.js';
import { costs, sampleInTurns, type Variant } from '../sampling.js';
import { createWorld, propose, reportStatus, send } from './messages/operations.js';
import { nativeSha256 } from './native-sha256.js';
import { sealAll } from './seal-all.js';

/**
 * Sealing records at the end of their stream. Making the canonical text is unavoidable, so it is the bound.
 */
export const sealing: Benchmark = {
  name: 'core/sealing',
  about: 'sealing one record: the canonical text alone, with node:crypto, with the pure SHA-256',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 3 : 5, counted: quick ? 9 : 25 };
    const world = createWorld();
    const first = Array.from({ length: 500 }, (_, index) => send(world, propose(`proposal-${index}`))).flat();
    const later = first.map((_, index) => send(world, reportStatus(`status-${index}`, `proposal-${index}`)));
    return [
      ...costs(sampleInTurns(variantsFor('seal a proposal', first), rounds), 'ns/record'),
      ...costs(sampleInTurns(variantsFor('seal a status', later.flat()), rounds), 'ns/record'),
    ];
  },
};

function variantsFor(name: string, records: readonly RecordContent[]): readonly Variant[] {
  const bytes = canonicalJson(sealAll('main/proposal/proposal-1', records.slice(0, 1))[0] ?? {}).length;
  const variant = (how: string, work: () => void): Variant => ({
    parameters: { bytes, how },
    round: (time) => time(name, records.length, work),
  });
  return [
    variant('canonical text only', () => {
      for (const record of records) canonicalJson(record);
    }),
    variant('node:crypto', () => sealAll('main/proposal/proposal-1', records, nativeSha256)),
    variant('pure SHA-256', () => sealAll('main/proposal/proposal-1', records, sha256)),
  ];
}
