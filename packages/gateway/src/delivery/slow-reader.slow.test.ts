import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../testing/folder.js';
import { type Child, startChild } from '../testing/kill/child.js';
import { measure, percentile } from '../testing/load.js';
import { chat } from '../testing/messages.js';
import { readMetric, until } from '../testing/metrics.js';
import { connectPeer, type Peer } from '../testing/peers/peer.js';
import { connectRaw } from '../testing/peers/raw.js';

const MIB = 1_048_576;

/** What one connection may leave unread in these tests. */
const UNREAD = MIB;

const YAML = `dev: true
limits: { message_size: 1MiB, unacknowledged_per_connection: 1MiB, connections_per_token: 20000 }
`;

const start = (folder: string): Promise<Child> => startChild({ folder, yaml: YAML, flags: ['--expose-gc'] });

/** Bytes of the process, after garbage collection. */
async function memoryOf(child: Child): Promise<number> {
  for (let round = 0; round < 3; round++) {
    child.process.kill('SIGUSR2');
    await readMetric(child.http, 'process_resident_memory_bytes');
  }
  return await readMetric(child.http, 'process_resident_memory_bytes');
}

const fellBehind = (child: Child) => readMetric(child.http, 'proffer_subscribers_fell_behind_total');

/** Sends until that many were disconnected. */
async function sendUntilFallen(child: Child, sender: Peer, prefix: string, count: number): Promise<number> {
  let sent = 0;
  while ((await fellBehind(child)) < count) {
    expect(sent).toBeLessThan(500);
    for (let more = 0; more < 5; more++) await sender.say(chat(`${prefix}${sent++}`, 'x'.repeat(400_000)));
  }
  return sent;
}

const tell = (text: string): void => void process.stdout.write(`${text}\n`);

describe('slow reader', () => {
  it('I-7, I-6: is disconnected with 4408, and resumes from its last seq without a gap', async () => {
    await using folder = await temporaryFolder();
    await using child = await start(folder.path);
    await using agent = await connectPeer(child.ws, 'agent');
    await using slow = await connectPeer(child.ws, 'other');
    await agent.say(chat('first'));
    await slow.next(({ id }) => id === 'first');
    slow.socket.pause();
    const sent = await sendUntilFallen(child, agent, 'c', 1);
    slow.socket.resume();
    expect(await slow.closed).toBe(4408);
    const last = slow.messages.findLast(({ seq }) => seq !== undefined)?.seq;
    await using again = await connectPeer(child.ws, 'other', { after: String(last) });
    await again.next(({ id }) => id === `c${sent - 1}`);
    const seen = [...slow.messages, ...again.messages].filter(({ kind }) => kind === 'chat.message');
    expect(seen.map(({ id }) => id)).toEqual(['first', ...Array.from({ length: sent }, (_, at) => `c${at}`)]);
  });

  it('I-7: of history is bounded in memory, too', async () => {
    await using folder = await temporaryFolder();
    await using child = await start(folder.path);
    await using agent = await connectPeer(child.ws, 'agent');
    for (let count = 0; count < 40; count++) await agent.say(chat(`c${count}`, 'x'.repeat(900_000)));
    const before = await memoryOf(child);
    const readers: WebSocket[] = [];
    for (let count = 0; count < 10; count++) {
      const reader = new WebSocket(`${child.ws}?space=main&after=0`, {
        headers: { authorization: 'Bearer other' },
      });
      await once(reader, 'open');
      reader.pause();
      readers.push(reader);
    }
    let after = 0;
    for (let count = 0; count < 10; count++) {
      await agent.say(chat(`still-here${count}`));
      after = Math.max(after, await memoryOf(child));
    }
    tell(`10 readers of 34 MiB of history that do not read: ${Math.round((after - before) / MIB)} MiB`);
    // A chunk and one journal read each, not the whole history ten times.
    expect(after - before).toBeLessThan(10 * 10 * MIB + 60 * MIB);
    for (const reader of readers) reader.terminate();
  });

  it('I-7: costs bounded memory and does not delay the others', async () => {
    await using folder = await temporaryFolder();
    await using child = await start(folder.path);
    await using agent = await connectPeer(child.ws, 'agent');
    // A few large messages between the small ones fill the readers' buffers sooner.
    const load = async (name: string): Promise<number[]> => {
      const took = await measure(agent, name, 100, 10_000);
      await measure(agent, `${name}large-`, 10, 200_000);
      return took;
    };
    const quiet: number[] = [];
    await load('warm-');
    for (let round = 0; round < 4; round++) quiet.push(...(await load(`quiet${round}-`)));
    quiet.sort((left, right) => left - right);
    const before = await memoryOf(child);

    const SLOW = 8;
    const never: Peer[] = [];
    for (let count = 0; count < SLOW; count++) {
      const peer = await connectPeer(child.ws, 'never');
      peer.socket.pause();
      never.push(peer);
    }
    // Reads one byte at a time, as rarely as possible.
    using drip = await connectRaw(
      child.port,
      'GET /ws?space=main HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer drip\r\n\r\n',
    );
    await drip.until('101 Switching');
    drip.socket.pause();
    const sip = setInterval(() => drip.socket.read(1), 1);
    try {
      let peak = before;
      const attacked: number[] = [];
      for (let round = 0; (await fellBehind(child)) < SLOW + 1; round++) {
        expect(round).toBeLessThan(100);
        attacked.push(...(await load(`attacked${round}-`)));
        peak = Math.max(peak, await readMetric(child.http, 'process_resident_memory_bytes'));
      }
      attacked.sort((left, right) => left - right);
      const after = await memoryOf(child);
      const [p99, p99Attacked] = [percentile(quiet, 0.99), percentile(attacked, 0.99)];
      tell(
        `p99 of the others ${p99.toFixed(2)} ms, beside ${SLOW + 1} slow readers ${p99Attacked.toFixed(2)} ms; ` +
          `memory ${Math.round(before / MIB)} MiB, at most ${Math.round(peak / MIB)}, after it ${Math.round(after / MIB)}`,
      );
      // Each may leave that much unread, plus one message; the rest is what a busy process needs anyway.
      const bound = (SLOW + 1) * (UNREAD + MIB) + 100 * MIB;
      expect(peak - before).toBeLessThan(bound);
      expect(after - before).toBeLessThan(100 * MIB);
    } finally {
      clearInterval(sip);
      for (const { socket } of never) socket.terminate();
    }
  });

  it('I-7: of server-sent events is disconnected', async () => {
    await using folder = await temporaryFolder();
    await using child = await start(folder.path);
    await using agent = await connectPeer(child.ws, 'agent');
    using slow = await connectRaw(
      child.port,
      'GET /spaces/main/feed HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer other\r\nAccept: text/event-stream\r\n\r\n',
    );
    await slow.until('retry: 1000');
    slow.socket.pause();
    const open = () => readMetric(child.http, 'proffer_connections', '{transport="sse"}');
    expect(await open()).toBe(1);
    await sendUntilFallen(child, agent, 'c', 1);
    await until(async () => (await open()) === 0);
    await agent.say(chat('still-here'));
  });
});

describe('many connections', () => {
  const wanted = process.env['PROFFER_LONG'] === undefined ? 500 : 10_000;

  it(`I-7: ${wanted} idle ones cost a few KiB each, and a message reaches all of them`, async () => {
    await using folder = await temporaryFolder();
    await using child = await start(folder.path);
    await using agent = await connectPeer(child.ws, 'agent');
    await agent.say(chat('warm'));
    const before = await memoryOf(child);
    const sockets: WebSocket[] = [];
    let got = 0;
    const connect = async (): Promise<void> => {
      const socket = new WebSocket(`${child.ws}?space=main&routing=directed`, {
        headers: { authorization: 'Bearer idle' },
        perMessageDeflate: false,
      });
      socket.on('message', (data: Buffer) => {
        if (data.includes('"hello-all"')) got++;
      });
      await once(socket, 'open');
      sockets.push(socket);
    };
    let failed = 0;
    while (sockets.length + failed < wanted) {
      const some = Math.min(100, wanted - sockets.length - failed);
      const opened = await Promise.allSettled(Array.from({ length: some }, connect));
      failed += opened.filter(({ status }) => status === 'rejected').length;
    }
    const after = await memoryOf(child);
    const each = Math.round((after - before) / sockets.length / 1024);
    tell(`${sockets.length} idle connections (${failed} not possible here): ${each} KiB each`);
    expect(sockets.length).toBeGreaterThan(wanted / 4);
    expect(each).toBeLessThan(200);
    await agent.say(chat('hello-all'));
    await until(() => got === sockets.length);
    for (const socket of sockets) socket.terminate();
  });
});
