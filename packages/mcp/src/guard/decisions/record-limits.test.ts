import type { Participant } from '@proffer/client';
import { SYSTEM_CLOCK } from '@proffer/client/own-calls';
import { digestJson } from '@proffer/core';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { decisionsIn, missingIn, recordedMessages } from '../testing/recorded-messages.js';
import { DecisionRecords, type DecisionRecordsOptions } from './decision-records.js';

const LONG = 'x'.repeat(1_500_000);
const denied = { action: 'deny', reason: 'No.', version: '1' } as const;
const allowed = { ...denied, action: 'allow' } as const;
const about = (name: string): JsonObject => ({ name });

function recordsOf(participant: Participant, more: Partial<DecisionRecordsOptions> = {}): DecisionRecords {
  participant.on('error', () => {});
  const options = { participant, server: 'notes', annotations: () => undefined, clock: SYSTEM_CLOCK };
  return new DecisionRecords({ ...options, recorded: 'all', log: () => {}, ...more });
}

async function historyOf(space: TestSpace) {
  const messages = await recordedMessages(space);
  return { decisions: decisionsIn(messages), missing: missingIn(messages) };
}

const namesIn = (decisions: readonly JsonObject[]) =>
  decisions.map(({ arguments: args }) => (isJsonObject(args) ? args['name'] : undefined));

describe('records of rule decisions', () => {
  it('I-7: are short, however long their subject', async () => {
    await using space = await startSpace();
    const records = recordsOf(await space.join('notes'));
    const rule = { index: 0, name: LONG, line: 1, source: LONG };
    records.note({ tool: LONG, arguments: about(LONG), decision: { ...denied, reason: LONG, rule } });
    records.note({ tool: 'write', arguments: about('after'), decision: denied });
    await records.close();
    const { decisions, missing } = await historyOf(space);
    expect(missing).toBe(0);
    expect(decisions).toHaveLength(2);
    expect(JSON.stringify(decisions).length).toBeLessThan(10_000);
    expect(namesIn(decisions)[1]).toBe('after');
  });

  it('I-7: wait only up to a byte limit while the gateway is away, and say how many are missing', async () => {
    await using space = await startSpace();
    const records = recordsOf(await space.join('notes'));
    await space.stop();
    const args = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`n${index}`, LONG]));
    for (let count = 0; count < 1_000; count++)
      records.note({ tool: 'write', arguments: args, decision: denied });
    await space.start();
    await expect
      .poll(
        async () => {
          const { decisions, missing } = await historyOf(space);
          return { all: decisions.length + missing, isBounded: missing > 0 };
        },
        { timeout: 20_000 },
      )
      .toEqual({ all: 1_000, isBounded: true });
    await records.close();
  }, 30_000);

  it('continue after one that the gateway never answers', async () => {
    await using space = await startSpace();
    const clock = createTestClock(Date.now());
    const real = await space.join('notes');
    let sent = 0;
    const participant: DecisionRecordsOptions['participant'] = {
      name: real.name,
      isConnected: true,
      // The first is lost on its way.
      send: (draft) => (sent++ === 0 ? new Promise(() => {}) : real.send(draft)),
    };
    const records = recordsOf(real, { clock, participant });
    records.note({ tool: 'write', arguments: about('before'), decision: denied });
    await new Promise((resolve) => setImmediate(resolve));
    records.note({ tool: 'write', arguments: about('after'), decision: denied });
    await expect
      .poll(async () => {
        clock.pass(10_000);
        const { decisions, missing } = await historyOf(space);
        return { names: namesIn(decisions), missing };
      })
      .toEqual({ names: ['after'], missing: 1 });
  });

  it('are not blocked by one that is refused for its content', async () => {
    await using space = await startSpace();
    const records = recordsOf(await space.join('notes'));
    for (const args of ['{"name":"one"}', '{"__proto__":{}}', '{"name":"\\ud800"}', '{"name":"two"}'])
      records.note({ tool: 'write', arguments: JSON.parse(args) as JsonObject, decision: denied });
    await records.close();
    records.note({ tool: 'write', arguments: {}, decision: denied });
    const { decisions } = await historyOf(space);
    expect(namesIn(decisions)).toEqual(['one', '\ufffd', 'two']);
  });

  it('contain no values of allowed calls, only names and a digest', async () => {
    await using space = await startSpace();
    const records = recordsOf(await space.join('notes'));
    const args = { path: 'x', password: 'hunter2' };
    records.note({ tool: 'write', arguments: args, decision: allowed });
    await records.close();
    const { decisions } = await historyOf(space);
    expect(decisions).toMatchObject([
      { argumentNames: ['path', 'password'], argumentsDigest: digestJson(args) },
    ]);
    expect(JSON.stringify(decisions)).not.toContain('hunter2');
  });

  it('I-8: are combined if only time and arguments differ, and each is still there', async () => {
    await using space = await startSpace();
    const records = recordsOf(await space.join('notes'));
    const allow = { ...allowed, rule: { index: 0, name: 'only reads', line: 4 } };
    const calls = Array.from({ length: 100 }, (_, index) => ({ path: `/notes/${index}.txt` }));
    for (const args of calls) records.note({ tool: 'read', arguments: args, decision: allow });
    records.note({ tool: 'read', arguments: { other: 1 }, decision: allow });
    records.note({ tool: 'write', arguments: about('one'), decision: denied });
    await records.close();
    const messages = await recordedMessages(space);
    const decisions = decisionsIn(messages);
    expect(decisions.map(({ action, tool, rule, version }) => [action, tool, rule, version])).toEqual([
      ...Array.from({ length: 101 }, () => ['allow', 'notes/read', allow.rule, '1']),
      ['deny', 'notes/write', undefined, '1'],
    ]);
    expect(decisions.slice(0, 100).map(({ argumentsDigest }) => argumentsDigest)).toEqual(
      calls.map((args) => digestJson(args)),
    );
    expect(decisions.every(({ at }) => typeof at === 'string')).toBe(true);
    const lines = messages.flatMap(({ payload }) => (payload['text'] as string).split('\n'));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('(100 calls)');
    expect(JSON.stringify(messages).length).toBeLessThan(200 * 100);
  });
});
