import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it, vi } from 'vitest';
import { appendOne, createGate, eachAppend, journalWith } from '../testing/journals.js';
import { chat, fulfilment } from '../testing/messages.js';
import { until } from '../testing/metrics.js';
import { ask } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

/** A journal that blocks until released, and counts the records it is given. */
function heldJournal(): {
  readonly journal: Journal;
  /**
   * Releases the first append, so that everything decided meanwhile is appended too; returns the number of
   * records.
   */
  readonly given: () => Promise<number>;
  readonly open: () => void;
} {
  const inner = createMemoryJournal();
  const first = createGate();
  const gate = createGate();
  const sizes: number[] = [];
  const held = eachAppend((append, settle) => {
    const isFirst = sizes.push(append.records.length) === 1;
    void (isFirst ? first : gate).opened.then(() => appendOne(inner, append, settle));
  });
  return {
    journal: journalWith(inner, held),
    async given() {
      first.open();
      await until(() => sizes.length > 1);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    open: () => gate.open(),
  };
}

it('I-7: slows down a sender that is faster than the journal, and nobody else', async () => {
  const { journal, given, open } = heldJournal();
  await using gateway = await startTestGateway(
    // All of it comes back at once, to a client that shares the processor with the gateway.
    'dev: true\nlimits: { unacknowledged_per_connection: 64MiB }',
    journal,
  );
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using other = await connectPeer(gateway.ws, 'other');
  for (let count = 0; count < 40; count++) agent.send(chat(`c${count}`, 'x'.repeat(900_000)));
  // The gateway goes through its event loop often enough to have read everything.
  for (let count = 0; count < 300; count++) {
    other.send(fulfilment(`x${count}`, 'nothing'));
    await other.error(`x${count}`);
  }
  const onItsWay = await given();
  expect(onItsWay).toBeGreaterThan(0);
  expect(onItsWay).toBeLessThan(12);
  open();
  await agent.next(({ id }) => id === 'c39');
  expect(agent.messages.filter(({ kind }) => kind === 'chat.message')).toHaveLength(40);
});

it('I-6, I-7: keeps little of a bulk sender in flight while others send too', async ({ onTestFinished }) => {
  const { journal, given, open } = heldJournal();
  // Who sent within the last second counts as sending: a busy machine may stop for longer than that.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => now.mockRestore());
  await using gateway = await startTestGateway('dev: true', journal);
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using other = await connectPeer(gateway.ws, 'other');
  const ids = Array.from({ length: 900 }, (_, index) => `c${index}`);
  other.send(fulfilment('x', 'nothing'));
  await other.error('x');
  for (const id of ids) agent.send(chat(id));
  // The gateway goes through its event loop often enough to have accepted everything.
  for (let count = 0; count < 300; count++) {
    other.send(fulfilment(`x${count}`, 'nothing'));
    await other.error(`x${count}`);
  }
  const onItsWay = await given();
  open();
  // Two whole turns, before it is known that it continues, and perhaps a short one.
  expect(onItsWay).toBeGreaterThanOrEqual(64);
  expect(onItsWay).toBeLessThanOrEqual(144);
  await agent.next(({ id }) => id === ids.at(-1));
  expect(agent.messages.filter(({ kind }) => kind === 'chat.message').map(({ id }) => id)).toEqual(ids);
});

it('I-7: does not slow down a bulk sender while nobody else sends', async () => {
  const { journal, given, open } = heldJournal();
  await using gateway = await startTestGateway('dev: true', journal);
  await using agent = await connectPeer(gateway.ws, 'agent');
  const count = 900;
  for (let number = 0; number < count; number++) agent.send(chat(`c${number}`));
  // The gateway goes through its event loop often enough to have accepted everything.
  for (let turn = 0; turn < 100; turn++) await ask(`${gateway.http}/healthz`, undefined);
  expect(await given()).toBe(count);
  open();
  await agent.next(({ id }) => id === `c${count - 1}`);
});
