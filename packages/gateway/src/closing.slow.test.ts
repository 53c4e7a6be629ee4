import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { refuse } from '@proffer/core';
import { emptyStream } from '@proffer/core/records';
import { createMemoryJournal, type Journal, JournalError, type JournalHead } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startGateway } from './gateway.js';
import { loopbackConfig } from './loopback.js';
import { createBreakableDisk } from './testing/breakable-disk.js';
import { openJournal, temporaryFolder } from './testing/folder.js';
import { createGate, journalWith } from './testing/journals.js';
import { startChild } from './testing/kill/child.js';
import { chat, fulfilment, proposal } from './testing/messages.js';
import { until } from './testing/metrics.js';
import { ask, post } from './testing/peers/http.js';
import { connectPeer, refusedPeer } from './testing/peers/peer.js';
import { connectRaw } from './testing/peers/raw.js';
import { startTestGateway } from './testing/test-gateway.js';

async function idsIn(folder: string): Promise<readonly string[]> {
  const journal = await openJournal(folder);
  const ids: string[] = [];
  for await (const { envelope } of journal.feed('main', 0, { follow: false })) {
    ids.push((envelope as { readonly id: string }).id);
  }
  await journal.close();
  return ids;
}

describe('closing', () => {
  it.each([
    ['answers what is in flight', false],
    ['refuses what the disk rejects', true],
  ])('I-1: %s, accepts nothing more, and disconnects everyone with 1001', async (_, fails) => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const gateway = await startTestGateway('dev: true', await openJournal(folder.path, { disk }));
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(chat('before'));
    const gate = createGate();
    disk.gate = gate.opened;
    const writes = disk.writes;
    agent.send(chat('c0'));
    await until(() => disk.writes > writes);
    // These wait for the next write, which is the one that fails.
    for (let count = 1; count < 50; count++) agent.send(chat(`c${count}`));
    const posted = post(gateway.http, 'reviewer', chat('http'));
    // The last one is accepted when this one is answered.
    reviewer.send({ id: 'x', kind: 'nothing', payload: {} });
    await reviewer.error('x');
    agent.send({ id: 'x', kind: 'nothing', payload: {} });
    await agent.error('x');
    disk.faultFrom = disk.writes;
    if (fails) disk.fault = { code: 'EIO', share: 0.5 };

    const closed = gateway.gateway.close();
    expect(await ask(`${gateway.http}/readyz`, undefined)).toMatchObject({
      status: 503,
      body: { ready: false },
    });
    expect(await ask(`${gateway.http}/healthz`, undefined)).toMatchObject({ status: 200 });
    agent.send(chat('after'));
    expect(await agent.error('after')).toMatchObject({ error: 'unavailable' });
    gate.open();
    const answer = await posted;
    await closed;
    expect([await agent.closed, await reviewer.closed]).toEqual([1001, 1001]);
    await expect(fetch(`${gateway.http}/healthz`)).rejects.toThrow('fetch failed');

    const kept = await idsIn(folder.path);
    const acknowledged = agent.messages.filter(({ seq }) => seq !== undefined).map(({ id }) => id);
    if (answer.status === 200) expect(kept).toContain('http');
    else expect(answer.code).toBe('unavailable');
    expect(kept.filter((id) => id !== 'http')).toEqual(acknowledged.filter((id) => id !== 'http'));
    const refused = agent.messages.filter(({ kind }) => kind === 'system.error').length - 2;
    expect(acknowledged.filter((id) => /^c\d/.test(id)).length + refused).toBe(50);
    expect(refused > 0).toBe(fails);
  });

  it('I-6: tells HTTP followers, and does not wait for idle connections', async () => {
    const gateway = await startTestGateway();
    const stream = await fetch(`${gateway.http}/spaces/main/feed`, {
      headers: { authorization: 'Bearer agent', accept: 'text/event-stream' },
    });
    await ask(`${gateway.http}/healthz`, undefined);
    const closed = gateway.gateway.close();
    expect(await stream.text()).toContain('event: end\ndata: going_away');
    await closed;
  });

  it('does not wait for a connection without a request', async () => {
    const gateway = await startTestGateway();
    const head = 'POST /spaces/main/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer agent\r\n';
    using busy = await connectRaw(gateway.port, `${head}Content-Length: 2\r\n\r\n{`);
    using unused = await connectRaw(gateway.port);
    await ask(`${gateway.http}/healthz`, undefined);
    const closed = gateway.gateway.close();
    await unused.ended;
    // Not all connections were closed: this one is still answered.
    busy.socket.write('}');
    expect(await busy.ended).toContain('HTTP/1.1 ');
    await closed;
  });

  it('O-22: a process told to exit does so on its own, with operations pending and running', async () => {
    await using folder = await temporaryFolder();
    const child = await startChild({ folder: folder.path });
    await using tools = await connectPeer(child.ws, 'tools');
    await using agent = await connectPeer(child.ws, 'agent');
    await using reviewer = await connectPeer(child.ws, 'reviewer');
    await agent.say({ ...proposal('p1', { ttl: 100_000 }), to: ['tools'] });
    await agent.say(proposal('p2'));
    await reviewer.say(fulfilment('f2', 'p2'));
    const exited = once(child.process, 'exit');
    child.process.kill('SIGTERM');
    expect(await agent.closed).toBe(1001);
    expect(await exited).toEqual([0, null]);
    expect(await tools.closed).toBe(1001);
    // A shutdown does not count as leaving: nothing was declined or withdrawn.
    expect(await idsIn(folder.path)).toEqual(['p1', 'p2', 'f2']);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
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
