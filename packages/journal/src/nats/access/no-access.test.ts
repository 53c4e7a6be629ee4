import { once } from 'node:events';
import { createServer } from 'node:net';
import { TimeoutError } from '@nats-io/transport-node';
import { success } from '@proffer/core';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '../../testing/index.js';
import { cannotReach } from '../authenticity/foreign-messages.js';
import { checkNats } from './check.js';
import { noAccess } from './no-access.js';

/** Server addresses, of which the first few accept connections. */
async function serversOf(all: number, running: number): Promise<readonly string[]> {
  const ports = await freePorts(all);
  for (const port of ports.slice(0, running)) {
    const server = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
  }
  return ports.map((port) => `nats://127.0.0.1:${port}`);
}

it.each([
  [3, 1, 'only 1 of 3 servers can be reached, and JetStream needs 2 (timeout). Start the others'],
  [3, 2, '2 of 3 servers can be reached, but JetStream does not answer (timeout)'],
  [1, 1, 'the server can be reached, but JetStream does not answer (timeout)'],
  [3, 0, 'timeout. Check journal.nats.servers, and that the servers are running.'],
])(
  'says how many servers can be reached when JetStream does not answer: of %i, %i',
  async (all, running, said) => {
    const { code, message } = await noAccess({ servers: await serversOf(all, running) }, new TimeoutError());
    expect(code).toBe('journal_unreachable');
    expect(message).toContain(said);
  },
);

it('says in words what a code of JetStream means', () => {
  const error = Object.assign(new Error('JetStream system temporarily unavailable'), { code: 10_008 });
  const { message, details } = cannotReach(error);
  const meaning = 'most NATS servers are down, or they are electing a leader';
  expect(details).toEqual({ cause: '10008', meaning });
  expect(message).toContain(meaning);
});

it.each([
  [['n2'], 'warn', 'can be written to, but n2 is down or behind.'],
  [['n1', 'n2'], 'bad', 'Only 1 of 3 servers of s can be counted on: n1, n2 are down or behind.'],
])('a stream that has lost %j of three servers', (behind, state, said) => {
  const stream = { messages: 1, bytes: 1, replicas: 3, problems: [], behind, hasLeader: true };
  const report = {
    server: 'n3',
    version: '2.15.0',
    isOld: false,
    maxPayload: 10_000,
    stream,
  };
  const examined = { inspected: success(report), recent: undefined, warnings: [], name: 's' };
  const [, found] = checkNats(examined, { largestMessage: 1 });
  expect(found).toMatchObject({ state, message: expect.stringContaining(said) });
});
