import { randomUUID } from 'node:crypto';
import { success } from '@proffer/core';
import { type SessionMetadata } from '@proffer/core/negotiation';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { journalWith } from '../../testing/journals.js';
import { startPayload } from '../../testing/macp.js';
import { closedConfig } from '../../testing/strangers.js';
import { openTestNegotiation } from '../../testing/test-negotiation.js';
import type { SessionLifecycleEvent } from '../runtime.js';
import { LISTS_AT_ONCE } from './list-sessions.js';

const FOUR_MEGABYTES = 4_194_304;

/** Maximum-length names, and the maximum number of them. */
const CROWD = Array.from({ length: 999 }, (_, index) => `${index}-`.padEnd(250, 'n'));

const inJson = (value: SessionMetadata) => ({ value, bytes: JSON.stringify(value).length });

/** A listener, and the ids of the sessions it received. */
function hear() {
  const ids: string[] = [];
  let heard = (): void => {};
  return {
    ids,
    until: async (count: number) => {
      while (ids.length < count) await new Promise<void>((resolve) => (heard = resolve));
    },
    listener: {
      write({ session }: SessionLifecycleEvent) {
        ids.push(session.session_id);
        heard();
      },
      buffered: () => 0,
      drained: () => Promise.resolve(),
      end() {},
    },
  };
}

describe('session list', () => {
  it('I-7: is built for few callers at a time, and stops for a caller that is gone', async () => {
    await using table = await openTestNegotiation(createMemoryJournal());
    const payload = startPayload({ participants: ['buyer', ...CROWD] });
    for (let count = 0; count < 4; count++) {
      expect(await table.say(randomUUID(), 'buyer', 'SessionStart', payload)).toMatchObject({ ok: true });
    }
    const buyer = await table.caller('buyer');
    const open = new Set<number>();
    let most = 0;
    const lists = Array.from({ length: 10 }, async (_, list) => {
      await buyer.sessions((value) => {
        most = Math.max(most, open.add(list).size);
        return inJson(value);
      });
      open.delete(list);
    });
    await Promise.all(lists);
    // One that is done may not know it yet when the next begins.
    expect(most).toBeLessThanOrEqual(LISTS_AT_ONCE + 1);
    let written = 0;
    await buyer.sessions(
      (value) => {
        written++;
        return inJson(value);
      },
      () => written > 0,
    );
    expect(written).toBe(1);
  });

  it("I-7: fits a client's read limit for any number of sessions and names, and says how many are left out", async () => {
    await using table = await openTestNegotiation(createMemoryJournal());
    const ids = Array.from({ length: 20 }, () => randomUUID());
    for (const id of ids) {
      const payload = startPayload({ participants: ['buyer', ...CROWD] });
      expect(await table.say(id, 'buyer', 'SessionStart', payload)).toMatchObject({ ok: true });
    }
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const listed = await (await table.caller('buyer')).sessions(inJson);
    isOver = true;
    if (!listed.ok) throw new Error(listed.refusal.message);
    const { sessions, more } = listed.value;
    expect(JSON.stringify(sessions).length).toBeLessThan(FOUR_MEGABYTES);
    expect(more).toBeGreaterThan(0);
    expect(sessions.map(({ session_id }) => session_id)).toEqual(ids.slice(more));
    expect(turns).toBeGreaterThan(5);
    const { ids: told, until, listener } = hear();
    const watching = (await table.caller('buyer')).watchSessions(listener);
    if (!watching.ok) throw new Error(watching.refusal.message);
    await until(20);
    watching.value.stop();
    expect(told).toEqual(ids);
  });

  it("N-8: has the caller's sessions, under any name, oldest first; also after a restart and an end", async () => {
    const journal = createMemoryJournal();
    const yaml = closedConfig({ buyer: '', seller: '', other: '', agent: 'act_as: [seller, other]' });
    const token = (name: string): string => `token-of-${name}`;
    let time = 1_000;
    const open = () => openTestNegotiation(journal, { yaml, clock: () => time++ });
    const expectLists = async (table: Awaited<ReturnType<typeof open>>, lists: Record<string, string[]>) => {
      for (const [name, ids] of Object.entries(lists)) {
        const listed = await (await table.caller(token(name))).sessions(inJson);
        const found = listed.ok ? listed.value.sessions.map(({ session_id }) => session_id) : listed;
        expect({ name, found }).toEqual({ name, found: ids });
      }
    };
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const parties: [string, string[]][] = [
      [first, ['seller']],
      [second, ['other']],
      [third, ['seller', 'other']],
    ];
    const lists = {
      buyer: [first, second, third],
      seller: [first, third],
      other: [second, third],
      agent: [first, second, third],
    };
    {
      await using table = await open();
      const buyer = await table.caller(token('buyer'));
      for (const [session_id, participants] of parties) {
        const envelope = {
          macp_version: '1.0',
          mode: 'macp.mode.proposal.v1',
          message_type: 'SessionStart',
          message_id: randomUUID(),
          session_id,
          sender: 'buyer',
          timestamp_unix_ms: 0,
          payload: startPayload({ participants }),
        };
        const decode = () => success({ envelope, payloadBytes: 0 });
        expect(await buyer.send({ address: envelope, decode })).toMatchObject({ ok: true });
      }
      await expectLists(table, lists);
    }
    await using again = await open();
    await expectLists(again, lists);
    time += 120_000;
    await again.negotiation.sessions.expire(first);
    await expectLists(again, { seller: [first, third] });
  });
});

describe('duplicate', () => {
  it('N-6, I-8: gets the first answer without reading anything, however long the session is', async () => {
    const journal = createMemoryJournal();
    const read: string[] = [];
    const counted = journalWith(journal, {
      read(stream, from) {
        read.push(stream);
        return journal.read(stream, from);
      },
    });
    await using table = await openTestNegotiation(counted);
    const id = randomUUID();
    await table.say(id, 'buyer', 'SessionStart', startPayload());
    const first = await table.say(id, 'seller', 'Proposal', { proposal_id: 'p' }, 'm');
    for (let index = 0; index < 100; index++) {
      await table.say(id, 'seller', 'Proposal', { proposal_id: `p${index}` });
    }
    const again = await table.say(id, 'seller', 'Proposal', { proposal_id: 'p' }, 'm');
    expect(again).toEqual({ ...first, duplicate: true });
    expect(again.accepted_at_unix_ms).toBeGreaterThan(0);
    expect(read).toEqual([]);
  });
});
