import { expect, it } from 'vitest';
import { RefusedError } from '../errors.js';
import type { IncomingProposal } from '../operations/proposal-inbox.js';
import { startTestGateway } from '../testing/gateway.js';
import { first, join } from '../testing/joining.js';
import { serveWriting, writing, wrote } from '../testing/tools.js';
import { sendOnceThere } from './absent-executor.js';

async function place() {
  const gateway = await startTestGateway();
  const agent = await join(gateway, 'agent');
  const reviewer = await join(gateway, 'reviewer');
  const seen = first<IncomingProposal>((tell) => reviewer.onProposal(tell));
  const proposed = agent.propose('tools/call', writing('/a'));
  proposed.catch(() => {});
  return {
    gateway,
    proposed,
    pending: await seen,
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.close(), reviewer.close()]);
      await gateway[Symbol.asyncDispose]();
    },
  };
}

it('O-26: a fulfilment waits briefly for an absent executor, and runs once when it is back', async () => {
  await using here = await place();
  const fulfilled = here.pending.fulfil(undefined, { to: 'tools' });
  await using tools = await join(here.gateway, 'tools');
  const calls = await serveWriting(tools);
  expect(await fulfilled).toEqual(wrote('/a'));
  expect(await here.proposed).toEqual(wrote('/a'));
  expect(calls).toEqual([{ path: '/a' }]);
});

it('O-26: a fulfilment is refused if the executor stays away, and the proposal stays pending', async () => {
  await using here = await place();
  const fulfilled = here.pending.fulfil(undefined, { to: 'tools' });
  await expect(fulfilled).rejects.toMatchObject({
    code: 'executor_absent',
    message: expect.stringContaining('Try again when the participant that would run it has connected again'),
  });
  await using tools = await join(here.gateway, 'tools');
  await serveWriting(tools);
  expect(await here.pending.fulfil()).toEqual(wrote('/a'));
});

it('O-26: a call waiting for one executor is not run by another that starts to serve the same tool', async () => {
  const sentTo: (string | undefined)[] = [];
  const absent = new RefusedError('executor_absent', 'It is not connected.', { executor: 'guard' });
  await sendOnceThere(
    (executor) => {
      sentTo.push(executor);
      return sentTo.length < 3 ? Promise.reject(absent) : Promise.resolve('sent');
    },
    () => true,
  );
  expect(sentTo).toEqual([undefined, 'guard', 'guard']);
});

it('an abandoned fulfilment is not sent again', async () => {
  let sent = 0;
  const absent = new RefusedError('executor_absent', 'It is not connected.', {});
  const send = () => {
    sent++;
    return Promise.reject(absent);
  };
  await expect(sendOnceThere(send, () => false)).rejects.toBe(absent);
  expect(sent).toBe(1);
});
