import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { CommandFailure } from '../command-failure.js';
import { start } from '../testing/cli.js';
import { awaitOutcome } from './await-outcome.js';
import { createConnection, type Patience } from './connection.js';

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    connection: (patience: Patience = {}) =>
      createConnection(
        { url, space: 'main', token: 'me', assumed: false, given: { url } },
        'proffer',
        patience,
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const failureOf = async (failing: Promise<unknown>) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof CommandFailure ? error.failure : error;
};

const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;

describe('a stream of events', () => {
  it('goes on when garbage is collected before anything has come', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let tell = (): void => {};
    await using gateway = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      tell = () => void response.write(event({ id: 'first', kind: 'k', seq: 1 }));
    });
    const ends = new AbortController();
    const events = await gateway.connection().events(0, ends.signal);
    const first = events[Symbol.asyncIterator]().next();
    for (let times = 0; times < 20; times++) {
      collect();
      await turn();
    }
    tell();
    expect((await first).value).toMatchObject({ id: 'first' });
    ends.abort();
  });
});

describe('a gateway that accepts and does not answer', () => {
  it('is unreachable after a while, and what was sent is not said to be lost', async () => {
    await using gateway = await serve(() => {});
    const connection = gateway.connection({ answerWithin: 50 });
    const asked = await failureOf(connection.pending());
    expect(asked).toMatchObject({ exit: 3, code: 'unreachable' });
    expect(asked).toMatchObject({ message: expect.stringContaining('nothing came within 0.05 s') });
    const sent = await failureOf(connection.send({ id: 'x' }));
    expect(sent).toMatchObject({ message: expect.stringContaining('may have arrived all the same') });
  });

  it('is left when the reader interrupts', async () => {
    await using gateway = await serve(() => {});
    const interruption = new AbortController();
    const asked = failureOf(gateway.connection({ signal: interruption.signal }).proposal('x'));
    await once(gateway.server, 'request');
    interruption.abort();
    expect(await asked).toMatchObject({ exit: 130, code: 'interrupted' });
  });

  it.each(['approve', 'propose'])('is left by %s on Ctrl-C', async (command) => {
    await using gateway = await serve(() => {});
    const { url } = gateway.connection().endpoint;
    const asking = start([command, 'x', '--url', url]);
    await once(gateway.server, 'request');
    asking.child.kill('SIGINT');
    const { code, stderr } = await asking.ended;
    expect(code).toBe(130);
    expect(stderr).toContain(`Interrupted before ${url} answered.`);
  });
});

describe('a wait', () => {
  const about = event({ id: 'm', kind: 'k', seq: 1, correlationId: ['x'] });

  it('ends in time though a look at the proposal is not answered', async () => {
    await using gateway = await serve((request, response) => {
      if (request.headers.accept === 'text/event-stream') response.writeHead(200).write(about);
    });
    const looked = new AbortController();
    gateway.server.on('request', ({ url = '' }) => {
      if (url.includes('/proposals/')) looked.abort();
    });
    const options = { after: 0, untilRejected: false, isApproved: true, signal: looked.signal };
    const failure = await failureOf(
      awaitOutcome(gateway.connection({ answerWithin: 600_000 }), 'x', options),
    );
    expect(failure).toMatchObject({ exit: 130, message: expect.stringContaining('the approval stands') });
  });

  it('is not given up for a loss that is over: a look that succeeds says that the gateway is back', async () => {
    let looks = 0;
    await using gateway = await serve((request, response) => {
      if (request.headers.accept === 'text/event-stream') return void response.writeHead(200).write(about);
      looks += 1;
      if (looks === 1) return void response.destroy();
      const proposal = { id: 'x', phase: 'fulfilled', to: [], rejections: {}, fulfilment: { answerBy: 1 } };
      response.end(JSON.stringify({ proposal, history: [] }));
    });
    const told: string[] = [];
    const ends = new AbortController();
    const options = {
      after: 0,
      untilRejected: false,
      isApproved: true,
      signal: ends.signal,
      longestLoss: 60_000,
      onLost: () => void told.push('lost'),
      onBack: () => {
        told.push('back');
        ends.abort();
      },
      timeout: 4_000,
    };
    expect(await failureOf(awaitOutcome(gateway.connection(), 'x', options))).toMatchObject({ exit: 130 });
    expect(told).toEqual(['lost', 'back']);
  });
});
