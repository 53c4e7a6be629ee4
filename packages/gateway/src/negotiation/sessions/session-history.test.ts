import { randomUUID } from 'node:crypto';
import type { SessionMetadata } from '@proffer/core/negotiation';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { journalWith, shared } from '../../testing/journals.js';
import { commitPayload, startPayload } from '../../testing/macp.js';
import { closedConfig } from '../../testing/strangers.js';
import { openTestNegotiation, type TestNegotiation } from '../../testing/test-negotiation.js';
import type { NegotiationCalls, SessionQuery } from '../runtime.js';

const whole = (value: SessionMetadata) => ({ value, bytes: JSON.stringify(value).length });

async function pageOf(caller: NegotiationCalls, query: Partial<SessionQuery> = {}) {
  const found = await caller.sessionPage({ prefix: '', state: 'all', limit: 100, ...query }, whole);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

async function start(table: TestNegotiation, id = randomUUID()): Promise<string> {
  const ack = await table.say(id, 'buyer', 'SessionStart', startPayload());
  expect(ack).toMatchObject({ ok: true });
  return id;
}

/** A journal with one session per kind of ending, and the ids in start order. */
async function journalOfEndings(): Promise<{ readonly journal: Journal; readonly ids: readonly string[] }> {
  const journal = createMemoryJournal();
  let now = 1_800_000_000_000;
  await using table = await openTestNegotiation(shared(journal), { clock: () => now });
  const committed = await start(table);
  await table.say(committed, 'seller', 'Proposal', { proposal_id: 'p1' });
  await table.say(committed, 'seller', 'Accept', { proposal_id: 'p1' });
  await table.say(committed, 'buyer', 'Commitment', commitPayload());
  const cancelled = await start(table);
  await (await table.caller('buyer')).control('cancel', cancelled, 'too dear');
  const expired = await start(table);
  now += 60_001;
  await table.negotiation.sessions.expire(expired);
  const open = await start(table);
  return { journal, ids: [committed, cancelled, expired, open] };
}

describe('session history', () => {
  it('N-8: has every ended session, with who ended it and why', async () => {
    const { journal, ids } = await journalOfEndings();
    await using table = await openTestNegotiation(journal, { clock: () => 1_800_000_060_002 });
    const caller = await table.caller('reviewer');
    const { sessions, next } = await pageOf(caller);
    expect(next).toBeUndefined();
    expect(sessions.map(({ session_id }) => session_id)).toEqual([...ids].reverse());
    expect(sessions.map(({ state, ending }) => [state, ending?.by, ending?.reason])).toEqual([
      ['OPEN', undefined, undefined],
      ['EXPIRED', '_runtime', 'The session expired.'],
      ['CANCELLED', 'buyer', 'too dear'],
      ['RESOLVED', 'buyer', 'all agreed'],
    ]);
    expect(sessions[3]).toMatchObject({
      intent: 'agree on terms',
      message_count: 4,
      ending: { outcome_positive: true },
    });
    const ended = await pageOf(caller, { state: 'ended' });
    expect(ended.sessions).toHaveLength(3);
    const [cancelled = ''] = ids.slice(1);
    const found = await pageOf(caller, { prefix: cancelled.slice(0, 8) });
    expect(found.sessions.map(({ session_id }) => session_id)).toEqual([cancelled]);
  });

  it('N-8: pages through each session once', async () => {
    const { journal, ids } = await journalOfEndings();
    await using table = await openTestNegotiation(journal, { clock: () => 1_800_000_060_002 });
    const caller = await table.caller('reviewer');
    const seen: string[] = [];
    let before: number | undefined;
    do {
      const page = await pageOf(caller, { limit: 1, ...(before === undefined ? {} : { before }) });
      seen.push(...page.sessions.map(({ session_id }) => session_id));
      before = page.next;
    } while (before !== undefined);
    expect(seen).toEqual([...ids].reverse());
  });

  it('N-8: is for those who take part', async () => {
    const { journal } = await journalOfEndings();
    const yaml = closedConfig({ seller: '', mallory: '', auditor: 'is_observer: true' });
    await using table = await openTestNegotiation(journal, { yaml });
    const count = async (name: string) =>
      (await pageOf(await table.caller(`token-of-${name}`))).sessions.length;
    expect(await count('seller')).toBe(4);
    expect(await count('auditor')).toBe(4);
    expect(await count('mallory')).toBe(0);
  });

  it('I-8: costs one record per session besides its start, however long it was', async () => {
    const journal = createMemoryJournal();
    {
      await using table = await openTestNegotiation(shared(journal));
      const id = await start(table);
      for (let number = 0; number < 200; number++) {
        await table.say(id, 'seller', 'Proposal', { proposal_id: `p${number}` });
      }
      await (await table.caller('buyer')).control('cancel', id, '');
    }
    let read = 0;
    const counting = journalWith(journal, {
      async *read(...given) {
        for await (const record of journal.read(...given)) {
          read++;
          yield record;
        }
      },
    });
    await using table = await openTestNegotiation(counting);
    const { sessions } = await pageOf(await table.caller('reviewer'));
    expect(sessions[0]).toMatchObject({ state: 'CANCELLED', message_count: 202 });
    expect(read).toBe(1);
  });
});
