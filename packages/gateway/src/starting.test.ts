import { refuse } from '@proffer/core';
import { emptyStream } from '@proffer/core/records';
import { createMemoryJournal, type Journal, JournalError, type JournalHead } from '@proffer/journal';
import { freePorts } from '@proffer/journal/testing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { RunningCompanions } from './companion.js';
import { startGateway } from './gateway.js';
import { loopbackConfig } from './loopback.js';
import { createGate, journalWith } from './testing/journals.js';
import { chat, proposal } from './testing/messages.js';
import { until } from './testing/metrics.js';
import { ask, post } from './testing/peers/http.js';
import { connectPeer, refusedPeer } from './testing/peers/peer.js';
import { startTestGateway } from './testing/test-gateway.js';

async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

describe('starting', () => {
  const log = pino({ level: 'silent' });
  const opening = (journal: Journal, before: Promise<void>): Journal =>
    journalWith(journal, {
      async *feed(...given) {
        await before;
        yield* journal.feed(...given);
      },
    });

  it('O-22: is not ready and lets nobody in until everything is replayed', async () => {
    const port = await freePort();
    const gate = createGate();
    const journal = opening(createMemoryJournal(), gate.opened);
    const starting = startGateway({ config: loopbackConfig('dev: true', { port }), log, journal });
    const http = `http://127.0.0.1:${port}`;
    await until(() =>
      fetch(`${http}/healthz`)
        .then(({ ok }) => ok)
        .catch(() => false),
    );
    expect(await ask(`${http}/readyz`, undefined)).toMatchObject({ status: 503 });
    const refused = { status: 503, code: 'unavailable' };
    expect(await refusedPeer(`ws://127.0.0.1:${port}/ws`, 'agent')).toEqual(refused);
    expect(await post(http, 'agent', chat('c1'))).toMatchObject(refused);
    gate.open();
    const started = await starting;
    expect(started.ok).toBe(true);
    expect(await post(http, 'agent', chat('c1'))).toMatchObject({ status: 200 });
    if (started.ok) await started.value.close();
  });

  it('I-1: refuses an unreadable journal, and leaves nothing behind', async () => {
    const damaged = new JournalError(refuse('journal_damaged', 'A piece is missing.'));
    const journal = opening(createMemoryJournal(), Promise.reject(damaged));
    const config = loopbackConfig('dev: true', { port: await freePort() });
    const started = await startGateway({ config, log, journal });
    expect(started).toMatchObject({ ok: false, refusal: { code: 'journal_damaged' } });
    const again = await startGateway({ config, log, journal: createMemoryJournal() });
    expect(again.ok).toBe(true);
    if (again.ok) await again.value.close();
  });

  it('O-22: is not ready and lets nobody in until its companions run', async () => {
    const port = await freePort();
    const gate = createGate();
    const asked = createGate();
    const beside: RunningCompanions = { reload: () => {}, close: async () => {} };
    const starting = startGateway({
      config: loopbackConfig('dev: true', { port }),
      log,
      journal: createMemoryJournal(),
      companions: [
        async () => {
          asked.open();
          await gate.opened;
          return beside;
        },
      ],
    });
    await asked.opened;
    const http = `http://127.0.0.1:${port}`;
    const refused = { status: 503, code: 'unavailable' };
    expect(await ask(`${http}/readyz`, undefined)).toMatchObject({ status: 503 });
    expect(await post(http, 'agent', chat('c1'))).toMatchObject(refused);
    expect(await refusedPeer(`ws://127.0.0.1:${port}/ws`, 'agent')).toEqual(refused);
    gate.open();
    const started = await starting;
    expect(await ask(`${http}/readyz`, undefined)).toMatchObject({ status: 200 });
    if (started.ok) await started.value.close();
  });

  it.each([
    ['the journal is away', new JournalError(refuse('unavailable', 'It is away.'))],
    ['of a bug', new Error('a bug')],
  ])('I-1: leaves nothing behind if a companion cannot be started because %s', async (_, error) => {
    const config = loopbackConfig('dev: true', { port: await freePort() });
    let closed = 0;
    const beside: RunningCompanions = { reload: () => {}, close: async () => void closed++ };
    const started = startGateway({
      config,
      log,
      journal: createMemoryJournal(),
      companions: [() => Promise.reject(error), async () => beside],
    });
    if (error instanceof JournalError)
      expect(await started).toMatchObject({ ok: false, refusal: { code: 'unavailable' } });
    else await expect(started).rejects.toBe(error);
    expect(closed).toBe(1);
    const again = await startGateway({ config, log, journal: createMemoryJournal() });
    expect(again.ok).toBe(true);
    if (again.ok) await again.value.close();
  });

  it('I-1: refuses only the message when the journal becomes unreadable later', async () => {
    const inner = createMemoryJournal();
    let damaged = false;
    const look = (): Journal => {
      if (damaged) throw new JournalError(refuse('journal_damaged', 'A piece is missing.'));
      return inner;
    };
    const head: Journal['head'] = async (stream) => await look().head(stream);
    // Like a journal without heads in memory: nothing is known at once.
    const headNow = (stream: string): JournalHead => ({ ...emptyStream(stream), version: 1, removed: 0 });
    await using gateway = await startTestGateway('dev: true', journalWith(inner, { head, headNow }));
    await using agent = await connectPeer(gateway.ws, 'agent');
    damaged = true;
    agent.send(proposal('p1'));
    expect(await agent.error('p1')).toMatchObject({ error: 'unavailable' });
    await agent.say(chat('c1'));
    damaged = false;
    await agent.say(proposal('p1'));
  });
});
