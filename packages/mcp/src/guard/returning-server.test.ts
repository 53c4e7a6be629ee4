import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createHttpBack } from '../channel/http-back.js';
import { createTransportChannel } from '../channel/transport-channel.js';
import { proposalsFor } from '../testing/deciding.js';
import { killEverything, startEverything } from '../testing/everything-http.js';
import { startForgetful } from '../testing/forgetful-server.js';
import { freePort } from '../testing/free-port.js';
import { startSpace } from '../testing/space.js';
import { OUTCOME_KEY } from './answers.js';
import { Guard, type GuardOptions } from './guard.js';
import { createPinFile } from './pin-file.js';
import { createProposalArchive } from './proposal-archive.js';
import { createReturningServer } from './returning-server.js';

/** A client of a guard in front of whatever is at this port. */
async function guardedAt(port: number, decide: GuardOptions['decide']) {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const logged: string[] = [];
  const guard = await Guard.start({
    participant: await space.join('guard'),
    archive: createProposalArchive({ url: space.url, space: 'main', token: 'guard' }),
    pins: createPinFile(join(space.folder, 'pins.json')),
    server: 'remote',
    decide,
  });
  const [toClient, front] = InMemoryTransport.createLinkedPair();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const openServer = () => createHttpBack({ url });
  const back = createReturningServer({ openServer, log: (line) => void logged.push(line) });
  await guard.connect(createTransportChannel(front), back);
  const client = new Client({ name: 'test', version: '1' });
  let lists = 0;
  client.setNotificationHandler('notifications/tools/list_changed', () => void lists++);
  await client.connect(toClient);
  return {
    client,
    logged,
    next: proposalsFor(reviewer),
    /** How often the client was told that the tools may be others. */
    lists: () => lists,
    async [Symbol.asyncDispose]() {
      await guard.close();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

const allow: GuardOptions['decide'] = () => ({ action: 'allow', reason: '', version: '1' });
const ask: GuardOptions['decide'] = () => ({ action: 'ask', reason: '', version: '1' });
const echo = { name: 'echo', arguments: { message: 'hello' } };
const echoed = { content: [{ text: 'Echo: hello' }] };

describe('a guard in front of a server over HTTP', () => {
  it('O-23: goes on when the server is back, and says of what was running that its outcome is unknown', async () => {
    const port = await freePort();
    const first = await startEverything(port);
    await using here = await guardedAt(port, (call) => (call.tool === 'echo' ? allow(call) : ask(call)));
    expect(await here.client.callTool(echo)).toMatchObject(echoed);
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 60, steps: 60 } };
    const asked = here.client.callTool(long);
    const approved = (await here.next()).fulfil().catch((error: unknown) => error);
    // Answered after it, so that it has begun.
    await here.client.callTool(echo);
    await killEverything(first);
    expect(await approved).toMatchObject({ name: 'OutcomeUnknownError' });
    expect(await asked).toMatchObject({ _meta: { [OUTCOME_KEY]: { code: 'unknown' } } });
    await expect(here.client.callTool(echo)).rejects.toThrow(
      /cannot be reached.* Nothing was run; call again\./,
    );
    const second = await startEverything(port);
    expect(await here.client.callTool(echo)).toMatchObject(echoed);
    expect(here.logged).toHaveLength(1);
    await expect.poll(here.lists).toBeGreaterThan(0);
    await killEverything(second);
  }, 30_000);

  it('I-2: sends a call once more that a session of before did not take, and it runs once', async () => {
    const forgetful = await startForgetful();
    await using here = await guardedAt(forgetful.port, allow);
    await here.client.callTool({ name: 'run', arguments: {} });
    forgetful.forget();
    expect(await here.client.callTool({ name: 'run', arguments: {} })).toMatchObject({ content: [] });
    expect(forgetful.ran()).toBe(2);
    forgetful.forget();
    const both = [1, 2].map(() => here.client.callTool({ name: 'run', arguments: {} }));
    expect(await Promise.all(both)).toMatchObject([{ content: [] }, { content: [] }]);
    expect(forgetful.ran()).toBe(4);
    await forgetful.close();
  });

  it('O-23: says of an approved call that the server cannot be reached for that nothing was run, and asks anew', async () => {
    const forgetful = await startForgetful();
    await using here = await guardedAt(forgetful.port, ask);
    const call = () => here.client.callTool({ name: 'run', arguments: {} });
    const asked = call();
    const proposal = await here.next();
    await forgetful.close();
    await expect(proposal.fulfil()).rejects.toThrow(/^Nothing was run: .*cannot be reached/);
    expect(await asked).toMatchObject({ isError: true, _meta: { [OUTCOME_KEY]: { code: 'unavailable' } } });
    const again = call();
    await (await here.next()).reject('unsafe');
    expect(await again).toMatchObject({ _meta: { [OUTCOME_KEY]: { code: 'rejected' } } });
  });
});
