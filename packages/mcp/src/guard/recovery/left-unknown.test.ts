import { OutcomeUnknownError } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { connectRaw, listOf } from '../testing/raw-client.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };
const EDITED = { name: 'notes/append', arguments: { line: 'two' } };
const WINDOW = 120_000;

async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  return {
    space,
    next: proposalsFor(reviewer),
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

const withCode = (code: string) => ({ _meta: { 'proffer/outcome': { code } } });

describe('call with an unknown outcome', () => {
  it('O-13, O-23: is reported after a restart however late, with the changes made before it started, and then asked again', async () => {
    await using here = await place();
    let hasStarted = false;
    const beforeWriting = (): Promise<never> => {
      hasStarted = true;
      return new Promise(() => {});
    };
    const first = await guardInProcess(here.space, { holdFor: 1, notes: { beforeWriting } });
    await first.client.callTool(APPEND);
    const approved = (await here.next()).fulfil(EDITED);
    approved.catch(() => {});
    await expect.poll(() => hasStarted).toBe(true);
    await first.participant.close();
    const clock = createTestClock(Date.now());
    await using second = await guardInProcess(here.space, { clock, window: WINDOW });
    await expect(approved).rejects.toBeInstanceOf(OutcomeUnknownError);
    clock.pass(100 * WINDOW);
    const retry = await second.client.callTool(APPEND);
    expect(retry).toMatchObject(withCode('unknown'));
    expect(textOf(retry)).toMatch(
      /^Not asked again: .*\nNot run as asked: reviewer changed the arguments before approving\.\n- line: "one" → "two"\nUnknown: /,
    );
    const again = second.client.callTool(APPEND);
    await (await here.next()).reject('unsafe');
    expect(await again).toMatchObject(withCode('rejected'));
  });

  it('O-23: is reported to a caller that repeats the call, however long after the first caller left', async () => {
    await using here = await place();
    const clock = createTestClock(Date.now());
    await using client = await connectRaw(here.space, {
      clock,
      window: WINDOW,
      answer: ({ method }) => (method === 'tools/list' ? listOf('write') : undefined),
    });
    const call = { method: 'tools/call', params: { name: 'write', arguments: {} } };
    client.send({ id: 1, ...call });
    const { id: proposal, fulfil } = await here.next();
    const approved = fulfil();
    approved.catch(() => {});
    await expect.poll(() => client.calls().length).toBe(1);
    const [{ id = null } = {}] = client.calls();
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    client.send({ id: 2, method: 'tools/list' });
    await client.answer(2);
    // Neither a result nor an error.
    client.server.say({ id });
    await expect(approved).rejects.toBeInstanceOf(OutcomeUnknownError);
    clock.pass(100 * WINDOW);
    client.send({ id: 3, ...call });
    const { result } = await client.answer(3);
    expect(result).toMatchObject({
      content: [{ text: expect.stringMatching(/^Not asked again: .*\nUnknown: /) }],
      _meta: { 'proffer/outcome': { code: 'unknown', proposal } },
    });
  });
});

describe('call that the server answered with an error', () => {
  it('O-13: has the changes in its message, also after a restart', async () => {
    await using here = await place();
    const start = () =>
      connectRaw(here.space, {
        holdFor: 1,
        answer: ({ method }) =>
          method === 'tools/call' ? { error: { code: -32_050, message: 'No room.' } } : listOf('write'),
      });
    const call = { method: 'tools/call', params: { name: 'write', arguments: { path: '/a' } } };
    const first = await start();
    first.send({ id: 1, ...call });
    await first.answer(1);
    const approved = (await here.next()).fulfil({ name: 'raw/write', arguments: { path: '/b' } });
    await expect(approved).rejects.toThrow('No room.');
    await first.participant.close();
    await using second = await start();
    second.send({ id: 2, ...call });
    expect(await second.answer(2)).toMatchObject({
      error: {
        code: -32_050,
        message: expect.stringMatching(
          /^Not asked again: .*\nNot run as asked: reviewer changed .*\n- path: "\/a" → "\/b"\n.*No room\.$/,
        ),
      },
    });
  });
});
