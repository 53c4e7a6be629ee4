import { refuse } from '@proffer/core';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { startNotifyingHere } from '../testing/notifying-gateways.js';
import { receiveHttp } from '../testing/receivers.js';

const CALL = { method: 'resources/read', params: { uri: 'file:///a' } };
const isOutbox = (stream: string): boolean => stream.startsWith('system:notify/');

/**
 * The journal for a notifier that hears late of what others write: nothing happens, and outboxes end where they did, until
 * it asks for more than it knows, or writes.
 */
function seenLate(journal: Journal): Journal {
  const known = new Map<string, ReturnType<Journal['head']>>();
  return changed(journal, {
    async head(stream, atLeast = 1) {
      const before = isOutbox(stream) ? await known.get(stream) : undefined;
      if (before !== undefined && before.version >= atLeast) return before;
      const head = journal.head(stream, atLeast);
      known.set(stream, head);
      return await head;
    },
    feed: (space, after, options = {}) =>
      options.follow === false ? journal.feed(space, after, options) : silentUntil(options.signal),
    append(stream, version, records) {
      known.delete(stream);
      return journal.append(stream, version, records);
    },
  });
}

async function* silentUntil(signal: AbortSignal | undefined): AsyncGenerator<never> {
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  yield* [];
}

/** The journal with other methods. Closing a gateway does not close it. */
function changed(journal: Journal, other: Partial<Journal>): Journal {
  const own: Partial<Journal> = { close: () => Promise.resolve(), ...other };
  return new Proxy(journal, {
    get(target, name) {
      const from = name in own ? own : target;
      const value: unknown = Reflect.get(from, name, target);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

async function start(journal: Journal, server: string) {
  return await startNotifyingHere(
    journal,
    `dev: true
notify:
  links: bearer
  channels: { phone: { type: ntfy, server: "${server}" } }
  participants: { reviewer: [{ channel: phone, to: t, digest: 0s }] }
`,
  );
}

async function keyIn(ntfy: Awaited<ReturnType<typeof receiveHttp>>, count: number): Promise<string> {
  const received = await ntfy.until(count);
  const { click } = JSON.parse(received[count - 1]?.body ?? '{}') as { readonly click: string };
  return new URL(click).hash.slice('#decide='.length);
}

it('O-29: a decision link works at a gateway that has not heard of it yet', async () => {
  await using ntfy = await receiveHttp();
  const journal = createMemoryJournal();
  const here = await start(changed(journal, {}), ntfy.url);
  await here.post('/spaces/main/proposals', 'agent', CALL);
  await keyIn(ntfy, 1);
  const there = await start(seenLate(journal), ntfy.url);
  await here.post('/spaces/main/proposals', 'agent', CALL);
  const key = await keyIn(ntfy, 2);
  expect(await there.post('/hooks/decision-link', undefined, { key })).toMatchObject({ status: 200 });
  expect(await there.post('/hooks/decision-link', undefined, { key: `${key.slice(0, -1)}!` })).toMatchObject({
    status: 404,
    body: { code: 'unknown_link' },
  });
});

it('O-29: a decision by link is reported as accepted, even if its link cannot be marked as used', async () => {
  await using ntfy = await receiveHttp();
  const memory = createMemoryJournal();
  const refusal = refuse('unavailable', 'The journal could not be written.');
  let isMarkable = false;
  const journal = changed(memory, {
    append: async (stream, version, records) => {
      const isMark = isOutbox(stream) && records.some(({ type }) => type.endsWith('link_used'));
      if (isMark && !isMarkable) return { status: 'unavailable', refusal };
      return await memory.append(stream, version, records);
    },
  });
  const { post } = await start(journal, ntfy.url);
  await post('/spaces/main/proposals', 'agent', CALL);
  const key = await keyIn(ntfy, 1);
  const decide = (more: object) => post('/hooks/decision-link', undefined, { key, ...more });
  const rejection = { decision: 'reject', reason: 'disagree' };
  expect(await decide(rejection)).toMatchObject({ status: 200, body: { status: 'accepted' } });
  // It still decides once: the same decision repeats it, and another is refused.
  expect(await decide(rejection)).toMatchObject({ status: 200, body: { status: 'duplicate' } });
  const { proposal } = (await decide({})).body as { readonly proposal: { readonly digest: string } };
  for (const other of [
    { decision: 'reject', reason: 'busy' },
    { decision: 'approve', digest: proposal.digest },
  ])
    expect((await decide(other)).status).toBeGreaterThanOrEqual(400);
  isMarkable = true;
  expect(await decide(rejection)).toMatchObject({ body: { status: 'duplicate' } });
  expect(await decide(rejection)).toMatchObject({ status: 409, body: { code: 'used_link' } });
});
