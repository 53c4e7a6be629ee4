import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { shared } from '../testing/journals.js';
import { chat } from '../testing/messages.js';
import { post } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { createAudience } from './audience.js';
import type { StoredOperation } from './batch.js';
import type { Following } from './subscriber.js';

const sink = { write() {}, buffered: () => 0, drained: () => Promise.resolve(), end() {} };

function follows(name: string, routing: 'all' | 'directed', observer = false): Following {
  const reading = { dialect: 'mcpx', framing: 'websocket' } as const;
  return { name, routing, observer, sink, reading, mayStay: () => true };
}

/** From `agent`: the first to everyone, the second only to `reviewer`. */
async function twoRecords(): Promise<readonly [StoredOperation, StoredOperation]> {
  const journal = createMemoryJournal();
  await using gateway = await startTestGateway('dev: true', shared(journal));
  await post(gateway.http, 'agent', chat('c1'));
  await post(gateway.http, 'agent', { ...chat('c2'), to: ['reviewer'] });
  const records: StoredOperation[] = [];
  for await (const record of journal.feed('main', 0, { follow: false }))
    records.push(record as StoredOperation);
  const [first, second] = records;
  if (first === undefined || second === undefined) throw new Error('There are no two records.');
  return [first, second];
}

describe('live followers', () => {
  const agent = follows('agent', 'directed');
  const reviewer = follows('reviewer', 'directed');
  const everything = follows('tools', 'all');
  const idle = Array.from({ length: 1_000 }, () => follows('idle', 'directed'));

  it('I-7: does not even call the others for a message between two', async () => {
    const [broadcast, whisper] = await twoRecords();
    const audience = createAudience({ visibility: 'all' });
    for (const one of [agent, reviewer, everything, ...idle]) audience.add(one);
    const reachedBy = (...records: readonly StoredOperation[]): ReadonlySet<Following> => {
      const reached: Following[] = [];
      audience.forEachReached(records, (one) => reached.push(one));
      expect(new Set(reached).size).toBe(reached.length);
      return new Set(reached);
    };
    expect(reachedBy(whisper)).toEqual(new Set([agent, reviewer, everything]));
    expect(reachedBy(broadcast).size).toBe(audience.size);
    expect(reachedBy(whisper, broadcast).size).toBe(audience.size);
  });

  it('O-21: delivers all messages only to observers if addressed messages are private', async () => {
    const [, whisper] = await twoRecords();
    const audience = createAudience({ visibility: 'addressed' });
    const observer = follows('auditor', 'all', true);
    for (const one of [reviewer, everything, observer]) audience.add(one);
    const reached: Following[] = [];
    audience.forEachReached([whisper], (one) => reached.push(one));
    expect(new Set(reached)).toEqual(new Set([reviewer, observer]));
  });

  it('O-33, O-43: reaches a participant addressed by role once, by however many names', async () => {
    const [, whisper] = await twoRecords();
    const asked = { ...whisper, facts: { ...whisper.facts, seenBy: ['reviewer', 'role:boss'] } };
    const audience = createAudience({ visibility: 'addressed' });
    const boss = { ...follows('meg', 'all'), roles: ['boss'] };
    const both = { ...follows('reviewer', 'all'), roles: ['boss'] };
    for (const one of [boss, both, everything]) audience.add(one);
    const reached: Following[] = [];
    audience.forEachReached([asked as StoredOperation], (one) => reached.push(one));
    expect(reached.map(({ name }) => name).sort()).toEqual(['meg', 'reviewer']);
    audience.delete(both);
    expect(audience.size).toBe(2);
  });

  it('are counted once, and gone when deleted, also during a call', async () => {
    const [broadcast] = await twoRecords();
    const audience = createAudience({ visibility: 'all' });
    for (const one of [agent, agent, everything, everything, ...idle]) audience.add(one);
    expect(audience.size).toBe(1_002);
    expect([...audience].length).toBe(1_002);
    audience.forEachReached([broadcast], (one) => audience.delete(one));
    audience.delete(agent);
    expect(audience.size).toBe(0);
    expect([...audience]).toEqual([]);
  });
});
