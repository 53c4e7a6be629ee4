import { once } from 'node:events';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { startGateway } from './gateway.js';
import { loopbackConfig, startOnLoopback } from './loopback.js';
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

const silent = pino({ level: 'silent' });

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

  it('I-1: ends in time if the journal does not answer, lets nobody in meanwhile, and names what it left undecided', async () => {
    const inner = createMemoryJournal();
    const sent = createGate();
    const append: Journal['append'] = () => {
      sent.open();
      return new Promise(() => {});
    };
    const logged: { readonly undecided?: unknown }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
    const gateway = await startOnLoopback('{ dev: true, shutdown: { timeout: 1500ms } }', {
      journal: journalWith(inner, { append }),
      log,
    });
    const http = `http://127.0.0.1:${gateway.port}`;
    await using agent = await connectPeer(`${gateway.url}/ws`, 'agent');
    const posted = post(http, 'agent', chat('c1')).catch((error: unknown) => String(error));
    await sent.opened;
    const closed = gateway.gateway.close();
    const [stranger, message] = await Promise.all([
      refusedPeer(`${gateway.url}/ws`, 'agent'),
      post(http, 'agent', chat('c2')),
    ]);
    expect(stranger).toMatchObject({ status: 503, code: 'unavailable' });
    expect(message).toMatchObject({ status: 503, code: 'unavailable' });
    await closed;
    // It may be in the journal, so the sender is not told that it was refused.
    expect(await posted).toContain('fetch failed');
    expect(await agent.closed).toBe(1001);
    expect(logged).toMatchObject([{ undecided: [{ space: 'main', count: 1, ids: ['c1'] }] }]);
  });

  it('I-1: says that it is not ready, and still serves, for a moment before it stops', async () => {
    const loopback = loopbackConfig('dev: true');
    const config = { ...loopback, shutdown: { ...loopback.shutdown, notReadyFor: 2_000 } };
    const started = await startGateway({ config, log: silent, journal: createMemoryJournal() });
    if (!started.ok) throw new Error(started.refusal.message);
    const http = `http://127.0.0.1:${started.value.address.port}`;
    const closed = started.value.close();
    const [readiness, message] = await Promise.all([
      ask(`${http}/readyz`, undefined),
      post(http, 'agent', chat('c1')),
    ]);
    expect(readiness).toMatchObject({
      status: 503,
      body: { ready: false, reason: 'The gateway is stopping.' },
    });
    expect(message).toMatchObject({ status: 200 });
    await closed;
    await expect(fetch(`${http}/healthz`)).rejects.toThrow('fetch failed');
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
