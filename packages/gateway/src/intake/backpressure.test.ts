import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { createGate, journalWith } from '../testing/journals.js';
import { chat, fulfilment } from '../testing/messages.js';
import { connectPeer } from '../testing/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

it('I-7: who sends faster than the journal takes has to wait, and nobody else', async () => {
  const inner = createMemoryJournal();
  const gate = createGate();
  let appended = 0;
  const appendThen: Journal['appendThen'] = (...given) => {
    appended++;
    void gate.opened.then(() => inner.appendThen(...given));
  };
  await using gateway = await startTestGateway(
    // All of it comes back at once, to a client that shares the processor with the gateway.
    'dev: true\nlimits: { unacknowledged_per_connection: 64MiB }',
    journalWith(inner, { appendThen }),
  );
  await using agent = await connectPeer(gateway.ws, 'agent');
  await using other = await connectPeer(gateway.ws, 'other');
  for (let count = 0; count < 40; count++) agent.send(chat(`c${count}`, 'x'.repeat(900_000)));
  // The gateway goes through its event loop often enough to have read it all.
  for (let count = 0; count < 300; count++) {
    other.send(fulfilment(`x${count}`, 'nothing'));
    await other.error(`x${count}`);
  }
  expect(appended).toBeGreaterThan(0);
  expect(appended).toBeLessThan(12);
  gate.open();
  await agent.next(({ id }) => id === 'c39');
  expect(agent.messages.filter(({ kind }) => kind === 'chat.message')).toHaveLength(40);
});
