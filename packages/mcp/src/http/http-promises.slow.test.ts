import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../testing/deciding.js';
import { modernRequests } from '../testing/http-requests.js';
import { createNotedCalls } from '../testing/noted-calls.js';
import { startNotesFront } from '../testing/notes-front.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { createTestClock } from '../testing/test-clock.js';

const CALL = { name: 'append', arguments: { line: 'one' } };
const HALF_AN_HOUR = 1_800_000;

/** A reviewer, and everything sent in the space. */
async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const said: string[] = [];
  reviewer.on('message', ({ kind }) => said.push(kind));
  return {
    space,
    said,
    next: proposalsFor(reviewer),
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

async function connectModern(address: URL): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(address));
  return client;
}

async function startFront(space: TestSpace, more: Parameters<typeof startNotesFront>[1] = {}) {
  const clock = createTestClock(Date.now());
  return { ...(await startNotesFront(space, { clock, ...more })), clock };
}

describe('caller of 2026-07-28 over HTTP', () => {
  it('O-15: keeps its task for as long as promised, and an approval runs it without a poll', async () => {
    await using here = await place();
    await using front = await startFront(here.space);
    const { clock } = front;
    const ask = modernRequests(front.address);
    const { taskId = '', ttlMs } = await ask('tools/call', CALL);
    expect(ttlMs).toBe(3_600_000);
    const proposal = await here.next();
    clock.pass(HALF_AN_HOUR);
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    await proposal.fulfil();
    expect(await ask('tasks/get', { taskId })).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'appended one' }] },
    });
  });

  it('writes nothing into the space by polling', async () => {
    await using here = await place();
    await using front = await startFront(here.space);
    const { clock } = front;
    const ask = modernRequests(front.address);
    const { taskId = '' } = await ask('tools/call', CALL);
    const proposal = await here.next();
    const before = here.said.length;
    for (let poll = 0; poll < 5; poll++) {
      await ask('tasks/get', { taskId });
      clock.pass(10_000);
    }
    await proposal.reject('unsafe');
    // Since then there are only the reviewer's messages, and their results.
    expect(here.said.slice(before).filter((kind) => kind === 'mcpx.status.proposal')).toEqual([]);
  });

  it('O-15: finds the result half an hour after it was told to wait', async () => {
    await using here = await place();
    await using front = await startFront(here.space, { holdFor: 0 });
    const { clock } = front;
    const client = await connectModern(front.address);
    const calling = client.callTool(CALL);
    const proposal = await here.next();
    clock.pass(1);
    expect(textOf(await calling)).toContain('has not run yet');
    clock.pass(HALF_AN_HOUR);
    await proposal.fulfil();
    const wait = { name: 'proffer_wait', arguments: { proposal: proposal.id } };
    expect(textOf(await client.callTool(wait))).toContain('appended one');
    await client.close();
  });

  it('O-15: keeps its task across a restart of the guard, which announces its tools again and runs it at once', async () => {
    await using here = await place();
    const { journal } = createNotedCalls();
    const first = await startFront(here.space, { journal });
    const { taskId = '' } = await modernRequests(first.address)('tools/call', CALL);
    const proposal = await here.next();
    await first[Symbol.asyncDispose]();
    await using second = await startFront(here.space, { journal });
    second.clock.pass(HALF_AN_HOUR);
    await proposal.fulfil();
    expect(await modernRequests(second.address)('tasks/get', { taskId })).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'appended one' }] },
    });
  });

  it('is told why a task is cancelled', async () => {
    await using here = await place();
    await using front = await startFront(here.space);
    const ask = modernRequests(front.address);
    const { taskId = '' } = await ask('tools/call', CALL);
    await here.next();
    await ask('tasks/cancel', { taskId });
    expect(await ask('tasks/get', { taskId })).toMatchObject({
      status: 'cancelled',
      statusMessage: expect.stringContaining('It was not run'),
    });
  });
});
