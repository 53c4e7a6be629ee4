import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { askedCall, OwnCall } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { NOT_RUN_KEY } from '@proffer/core/operations';
import { describe, expect, it } from 'vitest';
import { NotTakenError } from '../../channel/not-taken.js';
import { ServerRequests } from '../../channel/server-requests.js';
import { textAt } from '../../json-rpc.js';
import { createTestClock } from '../../testing/test-clock.js';
import { NextRounds } from '../calls/rounds.js';
import { createProgressReporter } from '../client/index.js';
import { TaskSupport } from '../tools/index.js';
import { type Running, runOnServer } from './run-on-server.js';

/** A server on a connection, and a way to run its tool there. */
function place(onRequest: (message: JsonObject, requests: ServerRequests) => void) {
  const clock = { ...createTestClock(), after: (_: number, callback: () => void) => soon(callback) };
  const requests: ServerRequests = new ServerRequests({
    open: async () => {},
    send(message) {
      queueMicrotask(() => onRequest(message, requests));
      return true;
    },
    pause() {},
    resume() {},
    close: async () => {},
  });
  const taskSupport = new TaskSupport();
  taskSupport.learn([{ name: 'pay', execution: { taskSupport: 'optional' } }]);
  const used = { requests, pendingCalls: { rounds: new NextRounds() }, settings: { clock, ttl: 1_000 } };
  const running = { ...used, toolbook: { taskSupport }, send: () => true, owner: {} } as unknown as Running;
  const params = { name: 'pay', arguments: {}, task: {} };
  const asked = { tool: 'pay', arguments: {}, params, takesTask: false, isModern: false };
  const run = async (round?: number) => {
    const facts = { id: 'p', key: 'k', tool: 'pay', arguments: {}, createdAt: 0 };
    const state = askedCall(round === undefined ? facts : { ...facts, round }, 0);
    const call = new OwnCall(state, { clock, window: 1 });
    const approval = { by: 'reviewer', arguments: {}, edit: [] };
    const progress = createProgressReporter(undefined, () => {});
    return await runOnServer(running, { call, asked, approval, progress });
  };
  return { requests, run };
}

function soon(callback: () => void): () => void {
  const timer = setImmediate(callback);
  return () => clearImmediate(timer);
}

describe('O-23: request that the server did not accept', () => {
  const { run } = place((message, requests) => {
    requests.lose(textAt(message, 'id'), new NotTakenError('too many'));
  });

  it('reports for the first round that nothing was run', async () => {
    await expect(run()).rejects.toMatchObject({ data: { [NOT_RUN_KEY]: { reason: 'too many' } } });
  });

  it('does not for a later round', async () => {
    const failing = run(2);
    await expect(failing).rejects.toThrow('too many');
    await expect(failing).rejects.not.toHaveProperty('data');
  });
});

describe('server task', () => {
  const BEGUN = { task: { taskId: 't', status: 'working' } };

  it('I-7: leaves nothing of its result in memory while the connection continues', async () => {
    const { run } = place(({ id, method }, requests) => {
      const ended = method === 'tasks/get' ? { taskId: 't', status: 'completed' } : { content: [] };
      requests.take({ jsonrpc: '2.0', id: id ?? '', result: method === 'tools/call' ? BEGUN : ended });
    });
    const end = async (): Promise<WeakRef<object>> => {
      const answer = await run();
      return new WeakRef('result' in answer ? answer.result : answer.error);
    };
    // The engine may still keep the last one internally.
    const results = [await end(), await end(), await end(), await end()];
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(results.slice(0, -1).map((result) => result.deref())).toEqual([undefined, undefined, undefined]);
  });

  it('is lost at once when the connection ends, for each that is followed', async () => {
    let begun = 0;
    const { run, requests } = place(({ id, method }) => {
      if (method !== 'tools/call') return;
      begun++;
      requests.take({ jsonrpc: '2.0', id: id ?? '', result: BEGUN });
    });
    const running = [run(), run()];
    const ends = running.map((one) => expect(one).rejects.toThrow('gone'));
    await expect.poll(() => begun).toBe(2);
    requests.end(new Error('gone'));
    await Promise.all(ends);
  });
});
