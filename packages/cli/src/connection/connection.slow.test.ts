import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Patience } from '@proffer/client/http';
import { describe, expect, it } from 'vitest';
import { CommandFailure } from '../command-failure.js';
import { awaitOutcome } from '../proposals/await-outcome.js';
import { start } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';
import { createConnection } from './connection.js';

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

const FOUND = {
  id: 'x',
  proposer: 'a',
  method: 'tools/call',
  phase: 'pending',
  to: [],
  approvals: [],
  escalatedTo: [],
  rejections: {},
  statuses: {},
  proposedAt: 0,
  digest: 'd',
};
/** The answer to every question about a proposal. */
const ANSWER = JSON.stringify({ proposal: FOUND, history: [], proposals: [FOUND], more: 0 });

const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;

describe('event stream', () => {
  it('survives garbage collection before the first event', async () => {
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

describe('gateway that accepts connections and does not answer', () => {
  it('is reported as unreachable after a timeout, without saying that the message was lost', async () => {
    await using gateway = await serve(() => {});
    const connection = gateway.connection({ answerWithin: 50 });
    const asked = await failureOf(connection.pending());
    expect(asked).toMatchObject({ exit: 3, code: 'unreachable' });
    expect(asked).toMatchObject({ message: expect.stringContaining('no response within 0.05 s') });
    const sent = await failureOf(connection.send({ id: 'x' }));
    expect(sent).toMatchObject({ message: expect.stringContaining('may still have arrived') });
  });

  it('is abandoned on interrupt', async () => {
    await using gateway = await serve(() => {});
    const interruption = new AbortController();
    const asked = failureOf(gateway.connection({ signal: interruption.signal }).proposal('x'));
    await once(gateway.server, 'request');
    interruption.abort();
    expect(await asked).toMatchObject({ exit: 130, code: 'interrupted' });
  });

  it.each([
    ['before it was sent', false, 'Nothing was sent.'],
    ['before it was acknowledged', true, 'The message may still have arrived'],
  ])(
    'is abandoned by approve on timeout %s, and the result so far is reported',
    async (_title, isFound, said) => {
      await using gateway = await serve(({ method }, response) => {
        if (isFound && method === 'GET') response.end(ANSWER);
      });
      const { url } = gateway.connection().endpoint;
      const { code, stderr } = await runHere(['approve', 'x', '--url', url, '--timeout', '500ms']);
      expect([code, stderr]).toEqual([
        4,
        expect.stringContaining(`Timed out before ${url} answered. ${said}`),
      ]);
      expect(stderr.includes('proffer show x')).toBe(isFound);
    },
  );

  it.each(['approve', 'propose'])('is abandoned by %s on Ctrl-C', async (command) => {
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

describe('gateway that stalls during its answer', () => {
  const begin: RequestListener = (_request, response) => void response.writeHead(200).write('{');

  it('is abandoned after a timeout, for every request', async () => {
    await using gateway = await serve(begin);
    const connection = gateway.connection({ answerWithin: 50 });
    const asked = await failureOf(connection.pending());
    expect(asked).toMatchObject({ exit: 3, code: 'unreachable' });
    expect(asked).toMatchObject({ message: expect.stringContaining('no more data within 0.05 s') });
    const sent = await failureOf(connection.send({ id: 'x' }));
    expect(sent).toMatchObject({ message: expect.stringContaining('may still have arrived') });
  });

  it('is abandoned even if garbage is collected before the timeout', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await using gateway = await serve(begin);
    const asked = failureOf(gateway.connection({ answerWithin: 300 }).pending());
    const collecting = setInterval(collect, 10);
    expect(await asked).toMatchObject({ exit: 3 });
    clearInterval(collecting);
  });

  it('is not abandoned while more data arrives', async () => {
    await using gateway = await serve((_request, response) => {
      const pieces = JSON.stringify({ proposals: [], more: 0 }).split('');
      const going = setInterval(() => {
        const piece = pieces.shift();
        if (piece !== undefined) return void response.write(piece);
        clearInterval(going);
        response.end();
      }, 45);
    });
    expect(await gateway.connection({ answerWithin: 1_200 }).pending()).toEqual({ proposals: [], more: 0 });
  });

  it('is abandoned by approve on timeout, however much arrives', async () => {
    await using gateway = await serve((_request, response) => {
      const going = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(going));
    });
    const { url } = gateway.connection().endpoint;
    const { code, stderr } = await runHere(['approve', 'x', '--url', url, '--timeout', '500ms']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('Nothing was sent.')]);
  });
});

describe('sent message', () => {
  const message = { kind: 'k', correlationId: ["it's"] };

  it.each<[string, RequestListener]>([
    ['before the answer', (_request, response) => response.destroy()],
    [
      'during the answer',
      (_request, response) => response.writeHead(200).write('{', () => response.destroy()),
    ],
    ['by an intermediary', (_request, response) => void response.writeHead(502).end('<html>')],
  ])('may have arrived if the connection is cut %s, and how to check is reported', async (_title, cut) => {
    await using gateway = await serve((request, response) => {
      request.resume().once('end', () => cut(request, response));
    });
    const { url } = gateway.connection().endpoint;
    const failure = await failureOf(gateway.connection().send(message));
    expect(failure).toMatchObject({
      exit: 3,
      message: expect.stringContaining('The message may still have arrived'),
      next: expect.arrayContaining([`proffer show 'it'\\''s' --url ${url}   # whether it arrived`]),
    });
    expect(failure).not.toMatchObject({ message: expect.stringContaining('No gateway answers') });
  });

  it('has certainly not arrived if there was no connection', async () => {
    const gateway = await serve(() => {});
    await gateway[Symbol.asyncDispose]();
    const failure = await failureOf(gateway.connection().send(message));
    expect(failure).toMatchObject({ exit: 3, message: expect.stringContaining('No gateway answers at') });
    expect(failure).not.toMatchObject({ message: expect.stringContaining('may still have arrived') });
  });

  it.each([
    ['approve', []],
    ['reject', ['--reason', 'policy']],
    ['withdraw', []],
  ])('is not reported as lost by %s', async (command, more) => {
    await using gateway = await serve(({ method }, response) => {
      if (method === 'GET') response.end(ANSWER);
      else response.destroy();
    });
    const { url } = gateway.connection().endpoint;
    const { code, stderr } = await runHere([command, 'x', '--url', url, ...more]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('may still have arrived')]);
    expect(stderr).toContain(`proffer show x --url ${url}`);
  });
});

describe('a wait', () => {
  const about = event({ id: 'm', kind: 'k', seq: 1, correlationId: ['x'] });

  it('ends in time even if a request about the proposal is not answered', async () => {
    await using gateway = await serve((request, response) => {
      if (request.headers.accept === 'text/event-stream') response.writeHead(200).write(about);
    });
    const looked = new AbortController();
    gateway.server.on('request', ({ url = '' }) => {
      if (url.includes('/proposals/')) looked.abort();
    });
    const options = { after: 0, isApproved: true, signal: looked.signal };
    const failure = await failureOf(
      awaitOutcome(gateway.connection({ answerWithin: 600_000 }), 'x', options),
    );
    expect(failure).toMatchObject({ exit: 130, message: expect.stringContaining('the approval stands') });
  });

  it('continues after an outage: a successful request shows that the gateway is back', async () => {
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
