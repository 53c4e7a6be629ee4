import { randomUUID } from 'node:crypto';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { shared } from '../../testing/journals.js';
import { openTable, startPayload } from '../../testing/macp.js';
import { readMetric, until } from '../../testing/metrics.js';
import { readEvents } from '../../testing/peers/event-reader.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { openTestNegotiation } from '../../testing/test-negotiation.js';

describe('session expiry', () => {
  it('N-5: happens on its own, and followers are told', async () => {
    await using server = await startTestGateway();
    const table = openTable(server.http);
    await table.start('buyer', { ttl_ms: 30 });
    await using reader = await readEvents(`${server.http}/macp/session/${table.id}/envelopes`, 'seller');
    const [, last] = await reader.take(2);
    expect(last?.json).toMatchObject({
      sequence: 2,
      envelope: { message_type: 'TtlExpired', sender: '_runtime' },
    });
    expect(await table.state('buyer')).toBe('EXPIRED');
    expect(await table.propose('seller', 'p1')).toMatchObject({ code: 'SESSION_NOT_OPEN', state: 'EXPIRED' });
  });

  it('N-5: counts even if the timer is late: the message is refused, the session is EXPIRED, also in the journal', async () => {
    const journal = createMemoryJournal();
    let now = 1_000_000;
    await using server = await startTestGateway('dev: true', journal, () => now);
    const table = openTable(server.http);
    await table.start('buyer', { ttl_ms: 60_000 });
    now += 60_000;
    expect(await table.propose('seller', 'p1')).toMatchObject({ ok: true });
    now += 1;
    expect(await table.propose('seller', 'p2')).toMatchObject({ code: 'SESSION_NOT_OPEN', state: 'EXPIRED' });
    expect(await table.state('buyer')).toBe('EXPIRED');
    await until(async () => (await table.envelopes('buyer')).length === 3);
  });

  it('N-5: during downtime is found at startup', async () => {
    const journal = createMemoryJournal();
    let now = 1_000_000;
    const table = openTable('');
    {
      await using server = await startTestGateway('dev: true', shared(journal), () => now);
      await openTable(server.http, table.id).start('buyer', { ttl_ms: 5_000 });
    }
    now += 5_001;
    await using server = await startTestGateway('dev: true', shared(journal), () => now);
    const again = openTable(server.http, table.id);
    expect(await again.state('buyer')).toBe('EXPIRED');
    await until(async () => (await again.envelopes('buyer')).length === 2);
    expect(await again.start('buyer')).toMatchObject({ code: 'SESSION_ALREADY_EXISTS' });
  });

  it('N-4, N-5: suspension stops the clock, and the remaining time stays', async () => {
    let now = 1_000_000;
    await using server = await startTestGateway('dev: true', createMemoryJournal(), () => now);
    const table = openTable(server.http);
    await table.start('buyer', { ttl_ms: 10_000 });
    now += 6_000;
    await table.control('buyer', 'suspend');
    now += 3_600_000;
    expect(await table.control('buyer', 'resume')).toMatchObject({ state: 'OPEN' });
    now += 4_000;
    expect(await table.propose('seller', 'p1')).toMatchObject({ ok: true });
    now += 1;
    expect(await table.propose('seller', 'p2')).toMatchObject({ code: 'SESSION_NOT_OPEN', state: 'EXPIRED' });
  });

  it('N-3, N-5: an ended session no longer counts as open', async () => {
    let now = 1_000_000;
    const limits = 'dev: true\nlimits: { open_sessions_per_participant: 2 }';
    await using server = await startTestGateway(limits, createMemoryJournal(), () => now);
    const tables = [1, 2, 3, 4].map(() => openTable(server.http));
    const started = await Promise.all(tables.map((table) => table.start('buyer', { ttl_ms: 1_000 })));
    expect(started.map(({ code }) => code ?? 'ok').sort()).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
      'ok',
      'ok',
    ]);
    // MACP has one code for several limits; operators see which of them was met.
    const refusals = (code: string) => readMetric(server.http, 'proffer_refusals_total', `{code="${code}"}`);
    expect([await refusals('too_many_open_sessions'), await refusals('RATE_LIMITED')]).toEqual([2, 0]);
    const open = tables.filter((_, index) => started[index]?.ok);
    await open[0]?.control('buyer', 'cancel');
    expect(await openTable(server.http).start('buyer', { ttl_ms: 1_000 })).toMatchObject({ ok: true });
    expect(await openTable(server.http).start('buyer')).toMatchObject({ code: 'RATE_LIMITED' });
    now += 1_001;
    await open[1]?.propose('buyer', 'late');
    await until(async () => (await openTable(server.http).start('buyer')).ok);
  });

  it('I-8: evicts ended sessions from memory, and keeps open ones', async () => {
    const journal = createMemoryJournal();
    const open = randomUUID();
    const over = Array.from({ length: 20 }, () => randomUUID());
    {
      await using before = await openTestNegotiation(journal);
      const buyer = await before.caller('buyer');
      for (const id of [open, ...over]) await before.say(id, 'buyer', 'SessionStart', startPayload());
      for (const id of over) await buyer.control('cancel', id, '');
      expect(before.negotiation.sessions.size).toBe(21);
    }
    await using after = await openTestNegotiation(journal);
    expect(after.negotiation.sessions.size).toBe(1);
    const buyer = await after.caller('buyer');
    expect(await buyer.session(over[0] ?? '')).toMatchObject({ ok: true, value: { state: 'CANCELLED' } });
    expect(after.negotiation.sessions.size).toBe(2);
  });
});
