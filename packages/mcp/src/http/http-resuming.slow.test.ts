import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { proposalsFor } from '../testing/deciding.js';
import { type NotesFrontOptions, startNotesFront } from '../testing/notes-front.js';
import { startSpace, type TestSpace } from '../testing/space.js';
import { createTestClock } from '../testing/test-clock.js';
import { createEventLog } from './event-log.js';

interface StreamEvent {
  readonly id: string;
  readonly retry: string;
  readonly data: string;
}

/** A client with a session that reads streams by hand, and may stop halfway. */
async function connect(space: TestSpace, options: NotesFrontOptions = {}) {
  const front = await startNotesFront(space, options);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const opened = await fetch(front.address, { method: 'POST', headers, body });
  await opened.text();
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const post = async (message: object) =>
    await fetch(front.address, {
      method: 'POST',
      headers: session,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  await post({ method: 'notifications/initialized' });
  return {
    /** A call, as a stream. */
    call: async (id: number, line: string) =>
      eventsOf(await post({ id, method: 'tools/call', params: { name: 'append', arguments: { line } } })),
    resume: async (last: string) =>
      await fetch(front.address, { headers: { ...session, 'last-event-id': last } }),
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}

/** The events of a stream, one at a time; `return` aborts it. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text.slice(0, end))?.[1] ?? '';
      yield { id: field('id'), retry: field('retry'), data: field('data') };
      text = text.slice(end + 2);
    }
  }
}

it.each([
  ['before the guard has seen that it broke', false],
  ['after the guard has said that its caller is away', true],
])('O-3: a client resumes a stream that broke while its call waited, %s', async (_title, isSeen) => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const said: string[] = [];
  reviewer.on('message', ({ kind }) => said.push(kind));
  const clock = createTestClock(Date.now());
  await using client = await connect(space, { clock });
  const stream = await client.call(1, 'one');
  const { value: first } = await stream.next();
  expect(first).toMatchObject({ id: expect.stringMatching(/./), retry: '1000', data: '' });
  const proposal = await next();
  await stream.return(undefined);
  if (isSeen) {
    const isAway = () => {
      clock.pass(2_000);
      return said;
    };
    await expect.poll(isAway, { interval: 500 }).toContain('mcpx.status.proposal');
  }
  const resumed = eventsOf(await client.resume(first?.id ?? ''));
  const fulfilled = proposal.fulfil();
  const { value: answer } = await resumed.next();
  expect(JSON.parse(answer?.data ?? '')).toMatchObject({
    id: 1,
    result: { content: [{ text: 'appended one' }] },
  });
  expect(await resumed.next()).toMatchObject({ done: true });
  await fulfilled;
});

it('I-2: a client that resumes its stream after the call ran gets its result, and nothing runs again', async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const decide: NotesFrontOptions['decide'] = ({ arguments: { line } }) => ({
    action: line === 'allowed' ? 'allow' : 'ask',
    reason: '',
    version: '1',
  });
  await using client = await connect(space, { decide });
  const stream = await client.call(1, 'allowed');
  const { value: first } = await stream.next();
  const { value: answer } = await stream.next();
  await stream.return(undefined);
  const again = eventsOf(await client.resume(first?.id ?? ''));
  expect((await again.next()).value).toEqual(answer);
  const other = await client.call(2, 'asked');
  await (await next()).reject('unsafe');
  expect((await other.next()).value?.id).not.toBe(first?.id);
  await other.return(undefined);
});

it('an event of another session, or an expired one, cannot be resumed from', async () => {
  await using space = await startSpace();
  await using client = await connect(space);
  const response = await client.resume(`${randomUUID()}.1`);
  expect(response.status).toBe(400);
  await response.text();
});

it('I-7: the event log is bounded across all sessions, and keeps the newest event however large', async () => {
  const log = createEventLog();
  const hooks = { onOpened: () => {}, onResuming: () => {}, onResumed: () => {} };
  const [one, other] = ['one', 'other'].map((session) => log.forSession(session, hooks));
  const message = (text: string) => ({ jsonrpc: '2.0' as const, method: 'm', params: { text } });
  const oldest = await one?.storeEvent('s', message('x'));
  const newest = await other?.storeEvent('s', message('y'.repeat(9 * 1_048_576)));
  expect(log.has('one', oldest ?? '')).toBe(false);
  expect(log.has('other', newest ?? '')).toBe(true);
  expect(log.has('one', newest ?? '')).toBe(false);
  log.forget('other');
  expect(log.has('other', newest ?? '')).toBe(false);
});
