import { describe, expect, it } from 'vitest';
import { connectWith } from '../connect.js';
import { openNodeSocket } from '../connection/node-socket.js';
import type { OpenSocket } from '../connection/socket.js';
import type { Participant } from '../node.js';
import type { JournalledMessage } from '../participation-node.js';
import { startTestGateway } from '../testing/gateway.js';
import { join, QUICK } from '../testing/joining.js';
import { startRelay } from '../testing/relay.js';

const textOf = ({ payload }: JournalledMessage): unknown => payload['text'];
const upTo = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

async function say(speaker: Participant, from: number, to: number, filling = ''): Promise<void> {
  for (let count = from; count < to; count += 500) {
    const part = upTo(Math.min(500, to - count)).map((text) => String(Number(text) + count));
    await Promise.all(part.map((text) => speaker.send({ kind: 'chat.message', payload: { text, filling } })));
  }
}

/** A host that cannot stop reading, like a browser's WebSocket. */
const openWithoutPause: OpenSocket = (address, events) => {
  const socket = openNodeSocket(address, events);
  return { send: (text) => socket.send(text), close: () => socket.close() };
};

describe('the feed', () => {
  it('I-6: yields history and then new messages, across a cut network and a restarted gateway', async () => {
    await using gateway = await startTestGateway();
    await using relay = await startRelay(gateway.port);
    await using speaker = await join(gateway, 'speaker');
    await using listener = await join(relay, 'listener');
    await say(speaker, 0, 100);
    const received: unknown[] = [];
    for await (const message of listener.feed({ after: 0 })) {
      received.push(textOf(message));
      if (received.length === 50) relay.cut();
      if (received.length === 100) {
        await gateway.stop();
        await gateway.start();
        void say(speaker, 100, 200);
      }
      if (received.length === 200) break;
    }
    expect(received).toEqual(upTo(200));
  });

  it.each([
    ['stops reading', openNodeSocket],
    ['hangs up if it cannot stop reading', openWithoutPause],
  ])('I-6, I-7: a slow consumer misses nothing and delays nothing: the feed %s', async (_, openSocket) => {
    await using gateway = await startTestGateway(
      'dev: true\nlimits: { message_size: 64KiB, unacknowledged_per_connection: 64KiB }',
    );
    await using relay = await startRelay(gateway.port);
    await using speaker = await join(gateway, 'speaker');
    await using listener = await connectWith(openSocket, {
      url: relay.url,
      token: 'listener',
      space: 'main',
      ...QUICK,
    });
    const before = relay.made;
    const feed = listener.feed({ after: 0, buffer: 20 });
    const filling = 'x'.repeat(30_000);
    await say(speaker, 0, 1, filling);
    const received = [textOf((await feed.next()).value as JournalledMessage)];
    // Far more than the buffers on the way can hold, while the consumer reads nothing.
    await say(speaker, 1, 2000, filling);
    // The feed does not delay the participant itself.
    await expect(listener.chat('2000')).resolves.toMatchObject({ status: 'accepted' });
    for await (const message of feed) {
      if (received.push(textOf(message)) === 2001) break;
    }
    expect(received).toEqual(upTo(2001));
    expect(relay.made).toBeGreaterThan(before + 1);
  });

  it('starts where the participant is, and ends with its signal or its participant', async () => {
    await using gateway = await startTestGateway();
    await using speaker = await join(gateway, 'speaker');
    await say(speaker, 0, 3);
    const controller = new AbortController();
    const feed = speaker.feed({ signal: controller.signal });
    await say(speaker, 3, 5);
    const received: unknown[] = [];
    for await (const message of feed) {
      received.push(textOf(message));
      if (received.length === 2) controller.abort();
    }
    expect(received).toEqual(['3', '4']);
    const other = speaker.feed();
    const next = other.next();
    await speaker.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
