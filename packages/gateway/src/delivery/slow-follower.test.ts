import { randomUUID } from 'node:crypto';
import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import type { AcceptedRecord, Listener } from '../negotiation/index.js';
import { openTable, startPayload } from '../testing/macp.js';
import { readMetric } from '../testing/metrics.js';
import { readEvents } from '../testing/peers/event-reader.js';
import { connectRaw } from '../testing/peers/raw.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { openTestNegotiation } from '../testing/test-negotiation.js';

const SMALL = 'dev: true\nlimits: { unacknowledged_per_connection: 1MiB }';

describe('follower that does not read', () => {
  it('I-7, I-6: is disconnected to resume later; the others see everything', async () => {
    await using server = await startTestGateway(SMALL);
    const table = openTable(server.http);
    await table.start('buyer');
    const path = `/macp/session/${table.id}/envelopes`;
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer seller\r\nAccept: text/event-stream\r\n\r\n`;
    using slow = await connectRaw(server.port, head);
    slow.socket.pause();
    await using good = await readEvents(`${server.http}${path}`, 'buyer');
    await good.take(1);
    const summary = 'x'.repeat(900_000);
    let sent = 1;
    while ((await readMetric(server.http, 'proffer_subscribers_fell_behind_total')) === 0) {
      expect(await table.send('seller', 'Proposal', { proposal_id: `p${sent}`, summary })).toMatchObject({
        ok: true,
      });
      sent++;
      expect((await good.next())?.id).toBe(sent);
      expect(sent).toBeLessThan(200);
    }
    await using again = await readEvents(`${server.http}${path}`, 'seller', 1);
    expect((await again.take(sent - 1)).map(({ id }) => id)).toEqual(
      Array.from({ length: sent - 1 }, (_, n) => n + 2),
    );
  });

  it('I-7: gets history only as fast as it reads', async () => {
    const journal = createMemoryJournal();
    await using talking = await openTestNegotiation(journal);
    const id = randomUUID();
    await talking.say(id, 'buyer', 'SessionStart', startPayload());
    const summary = 'x'.repeat(40_000);
    for (let index = 0; index < 50; index++) {
      await talking.say(id, 'seller', 'Proposal', { proposal_id: `p${index}`, summary });
    }
    let held: AcceptedRecord[] = [];
    const seen: number[] = [];
    let largest = 0;
    let take = (): void => {};
    const listener: Listener<AcceptedRecord> = {
      write(record) {
        held.push(record);
        seen.push(record.version);
        largest = Math.max(largest, held.length);
      },
      buffered: () => held.length * 40_000,
      drained: () =>
        new Promise((resolve) => {
          take = () => {
            held = [];
            resolve();
          };
          setImmediate(() => take());
        }),
      end: () => {},
    };
    const following = await (await talking.caller('buyer')).follow(id, 0, listener);
    expect(following.ok).toBe(true);
    while (seen.length < 51) await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
    expect(largest).toBeLessThanOrEqual(2);
  });
});
