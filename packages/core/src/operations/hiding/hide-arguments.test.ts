import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../hash/sha256.js';
import { canonicalJson } from '../../json/canonical.js';
import type { JsonObject, JsonValue } from '../../json/json.js';
import type { SealedRecord } from '../../record/record.js';
import { emptyStream, expectedHash, sealRecord } from '../../record/seal.js';
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

  it.each([
    ['its own words', 'DE89 3704', 'Whose is de89 3704?'],
    ['other spaces', 'DE89 3704', 'Whose is DE893704?'],
    ['other punctuation', 1000, 'Not 1,000 again'],
    ['the name of a member', 'DE89 3704', { 'DE89 3704': true }],
    ['a language without spaces', '北京', '我在北京的时候'],
    ['two letters', 'DE', 'why DE?'],
    ['very much text', 'a'.repeat(200_000), `b ${'a'.repeat(200_000)} c`],
  ])('I-12: hides a remark that mentions a value in %s', (_, value, reason) => {
    const hidden = hideArguments([proposed({ value, payload: { reason } })], ['value'], sha256);
    expect(hidden).toMatchObject({ ok: true });
    expect(JSON.stringify(hidden)).toContain('"reason":"hidden:');
  });

  it.each([
    ['payload', { payload: { name: 'carol-99', status: 'x' } }],
    ['params', { params: { method: 'carol-99', id: 'carol-99', uri: 'of://carol-99' } }],
    [
      'params of a method that calls nothing',
      { payload: { method: 'own/do', params: { name: 'carol-99', arguments: { value: 'carol-99' } } } },
    ],
  ])('I-12: hides what else is in the %s', (_, more) => {
    const hidden = hideArguments([proposed({ value: 'carol-99', ...more })], ['value'], sha256);
    expect(hidden).toMatchObject({ ok: true });
    expect(JSON.stringify(hidden)).not.toContain('carol');
  });

  it.each([
    ['the id of the request', { payload: { id: 'carol-99' } }],
    [
      'an address',
      {
        envelope: {
          kind: 'mcp.proposal.resources/read',
          payload: {
            method: 'resources/read',
            params: { uri: 'of://carol-99', arguments: { value: 'carol-99' } },
          },
        },
      },
    ],
    ['a kind', { envelope: { kind: 'own.proposal.own/do:carol-99' }, payload: { method: 'own/do' } }],
    ['a proposal that it waits for', { facts: { dependencies: { waitsFor: ['for-carol99'] } } }],
    ['a grant', { facts: { runsBy: 'Carol 99' } }],
    ['an entry of the policy', { facts: { review: { entry: 'payments to carol-99' } } }],
  ])('I-12: refuses a value that is in %s', (_, more) => {
    const refused = hideArguments([proposed({ value: 'carol-99', ...more })], ['value'], sha256);
    expect(refused).toMatchObject({ refusal: { code: 'cannot_hide' } });
  });

  it('I-7, I-12: refuses more than a gateway has the time to look for', () => {
    const record = proposed({ value: Array.from({ length: 50_000 }, (_, index) => `text ${index}`) });
    expect(hideArguments([record], ['value'], sha256)).toMatchObject({ ok: true });
    const other = proposed({ value: 1 });
    const others = Array.from({ length: 500 }, () => other);
    expect(hideArguments([record, ...others], ['value'], sha256)).toMatchObject({
      refusal: { code: 'cannot_hide' },
    });
  });

  it('I-12: refuses a number that is in an id', () => {
    const records = [proposed({ value: 37_040_044, envelope: { id: 'to-37040044' } })];
    expect(hideArguments(records, ['value'], sha256)).toMatchObject({ refusal: { code: 'cannot_hide' } });
  });
});

interface Written {
  readonly value: JsonValue;
  readonly params?: JsonObject;
  readonly payload?: JsonObject;
  readonly envelope?: JsonObject;
  readonly facts?: JsonObject;
}

function proposed({ value, params = {}, payload = {}, envelope = {}, facts = {} }: Written): SealedRecord {
  const call = { method: 'tools/call', params: { name: 'pay', arguments: { value }, ...params } };
  const content = {
    type: 'proposed',
    time: 1,
    principal: 'agent',
    envelope: { id: 'p-1', payload: { ...call, ...payload }, ...envelope },
    facts: { proposal: 'p-1', ...facts },
  };
  return salted(sealRecord(content, emptyStream('main/proposal/p-1')));
}
