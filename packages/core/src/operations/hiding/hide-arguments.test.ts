import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../hash/sha256.js';
import { canonicalJson } from '../../json/canonical.js';
import type { SealedRecord } from '../../record/record.js';
import { expectedHash } from '../../record/seal.js';
import { runs } from '../../testing/runs.js';
import { proposalStream } from '../records.js';
import { history, historyWorld, type Step, take } from '../testing/random-history.js';
import { hideArguments } from './hide-arguments.js';
import { withSalts } from './hideable-values.js';

/** As a gateway makes them: a secret, and what equal values have in common. */
function salted(record: SealedRecord): SealedRecord {
  const content = withSalts(record, ({ name, place }, text) =>
    sha256(canonicalJson(['secret', record.stream, name ?? `${record.version} ${place}`, text])),
  );
  const schema = content.salts === undefined ? 1 : 2;
  const unsealed = { ...record, ...content, schema } as SealedRecord;
  return { ...unsealed, hash: expectedHash(unsealed) };
}

/** What a history leaves of one proposal if people write these paths; remarks mention them. */
function recordsWith(steps: readonly Step[], paths: readonly [string, string]): readonly SealedRecord[] {
  const world = historyWorld();
  const text = JSON.stringify(steps)
    .replaceAll('"reason":"no"', '"reason":"not in /a or /b"')
    .replaceAll('/a', paths[0])
    .replaceAll('/b', paths[1]);
  for (const step of JSON.parse(text) as Step[]) take(world, step);
  return world.records.filter(({ stream }) => stream === proposalStream('main', 'p0')).map(salted);
}

/** The records as they are shown, but for what stands in place of values: only which of those are equal. */
function shownOf(records: readonly SealedRecord[]): string {
  const hidden = hideArguments(records, ['path'], sha256);
  if (!hidden.ok) return hidden.refusal.code;
  const places = new Map<string, number>();
  const shown = hidden.value.map(({ hash: _hash, prev: _prev, ...record }) => record);
  return canonicalJson(shown).replaceAll(/hidden:[\da-f]{64}/g, (hash) => {
    if (!places.has(hash)) places.set(hash, places.size);
    return `hidden ${places.get(hash)}`;
  });
}

describe('hiding arguments', () => {
  it('I-12: what is shown of any history does not depend on what is hidden', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const shown = shownOf(recordsWith(steps, ['alpha', 'beta']));
        expect(shown).not.toMatch(/alpha|beta/);
        expect(shown).toBe(shownOf(recordsWith(steps, ['one/more.txt', 'and another'])));
      }),
      runs(150),
    );
  });

  it('I-12: every record keeps its hash', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const records = recordsWith(steps, ['alpha', 'beta']);
        const hidden = hideArguments(records, ['path'], sha256);
        fc.pre(hidden.ok);
        if (!hidden.ok) return;
        expect(hidden.value.map((record) => expectedHash(record))).toEqual(records.map(({ hash }) => hash));
      }),
      runs(50),
    );
  });
});
