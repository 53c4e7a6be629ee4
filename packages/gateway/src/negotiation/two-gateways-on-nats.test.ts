import { openNatsJournal } from '@proffer/journal/nats';
import { type NatsServers, startNatsServers } from '@proffer/journal/testing';
import { afterAll, beforeAll } from 'vitest';
import { describeNegotiatingAcross } from '../testing/negotiating-across.js';
import { startTestGateway } from '../testing/test-gateway.js';

let servers: NatsServers;
let made = 0;

beforeAll(async () => {
  servers = await startNatsServers({ count: 3 });
});
afterAll(() => servers[Symbol.asyncDispose]());

describeNegotiatingAcross('nats, on three servers', async () => {
  const stream = `negotiation-${made++}`;
  const open = async () => {
    const opened = await openNatsJournal({ servers: servers.urls, stream });
    if (!opened.ok) throw new Error(opened.refusal.message);
    return opened.value;
  };
  const journal = await open();
  const first = await startTestGateway('dev: true', journal);
  const second = await startTestGateway('dev: true', await open());
  const close = async (): Promise<void> => {
    await Promise.all([first.gateway.close(), second.gateway.close()]);
  };
  return { first, second, journal, [Symbol.asyncDispose]: close };
});
