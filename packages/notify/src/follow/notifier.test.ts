import { connect, type Participant } from '@proffer/client';
import { defined } from '@proffer/core/json';
import { startOnLoopback } from '@proffer/gateway';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Channel } from '../channels/channel.js';
import type { Notification } from '../content/notification.js';
import { startNotifier } from './notifier.js';
import type { ChannelRoute } from './route.js';

/** A channel that records what it is given; `deliver` may be replaced. */
function listening(deliver: Channel['deliver'] = () => Promise.resolve({ ok: true, receipt: 'r' })) {
  const got: Notification[] = [];
  let onMore = (): void => {};
  return {
    got,
    channel: {
      reportsOutcomes: true,
      isPrivate: true,
      check: () => Promise.resolve(undefined),
      deliver(notification, signal) {
        got.push(notification);
        onMore();
        return deliver(notification, signal);
      },
    } satisfies Channel,
    async until(count: number) {
      while (got.length < count) {
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
      }
      return got;
    },
  };
}

function routeOf(channel: Channel, overrides: Partial<ChannelRoute> = {}): ChannelRoute {
  return {
    space: 'main',
    participant: 'alice',
    channelName: 'test',
    channel,
    settings: { digest: 0, quietUntil: () => undefined, updates: true },
    wants: ({ addressees }) => addressees.length === 0 || addressees.includes('alice'),
    ...overrides,
  };
}

async function notify(journal: Journal, route: ChannelRoute) {
  const faults: unknown[] = [];
  return await startNotifier({
    journal,
    routes: [route],
    hiding: { paths: ['password'] },
    linkTo: (summary) => `http://127.0.0.1/console/#${summary?.proposal ?? ''}`,
    clock: Date.now,
    lookUp: async () => undefined,
    onAttempt: () => {},
    onFault: (error) => faults.push(error),
  });
}

/** A gateway on a journal that outlives it, and an agent. */
async function setUp(yaml = 'dev: true') {
  const journal = createMemoryJournal();
  const gateway = await startOnLoopback(yaml, { journal });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const join = async (token: string): Promise<Participant> => {
    const participant = await connect({ url: gateway.url, token, space: 'main' });
    onTestFinished(() => participant.close());
    return participant;
  };
  const agent = await join('agent');
  const propose = (text: string, to?: string[]) => {
    const proposal = agent.propose(
      'tools/call',
      { name: 'echo', arguments: { text, password: 'hunter2' } },
      { ttl: 60_000, ...defined({ to }) },
    );
    proposal.catch(() => {});
    return proposal;
  };
  return { journal, agent, join, propose };
}

const shown = (text: string) => [
  { name: 'text', text },
  { name: 'password', text: '[redacted]' },
];

describe('the notifier', () => {
  it('notifies of a proposal, without redacted fields, and then of its outcome', async () => {
    const { journal, propose } = await setUp();
    const alice = listening();
    const notifier = await notify(journal, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    const proposal = propose('hello');
    const [asked] = await alice.until(1);
    expect(asked).toMatchObject({
      kind: 'asked',
      recipient: 'alice',
      title: 'agent wants to run echo',
      items: [{ summary: { shown: shown('hello'), isWhole: false } }],
    });
    await proposal.withdraw('changed my mind');
    const [, ended] = await alice.until(2);
    expect(ended).toMatchObject({
      kind: 'ended',
      title: 'Withdrawn by agent: run echo (agent)',
      items: [{ receipt: 'r' }],
    });
    expect(ended?.text).toContain('agent withdrew this call (changed my mind).');
  });

  it('leaves secrets out of reasons and addresses too', async () => {
    const { journal, join } = await setUp();
    const alice = listening();
    const notifier = await notify(journal, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    const agent = await join('builder');
    const asked = agent.propose('resources/read', { uri: 'https://ann:hunter2@host/a' });
    asked.catch(() => {});
    const [first] = await alice.until(1);
    expect(first?.title).toContain('https://ann:[redacted]@host/a');
    expect(first?.items).toMatchObject([{ summary: { isWhole: false } }]);
    await asked.withdraw('the password=hunter2 is wrong');
    const [, ended] = await alice.until(2);
    expect(ended?.text).toContain('the password=[redacted] is wrong');
    expect(JSON.stringify([first, ended])).not.toContain('hunter2');
  });

  it('O-45: says why a proposal was declined, and by whom', async () => {
    const veto = 'spaces: { main: { review: [{ name: calls, call: "mcp.request.*", veto: true }] } }';
    const { journal, propose, join } = await setUp(`dev: true\n${veto}`);
    const alice = listening();
    const notifier = await notify(journal, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    const { id } = propose('hello');
    await alice.until(1);
    await (await join('reviewer')).reject(id, 'unsafe');
    const [, ended] = await alice.until(2);
    expect(ended).toMatchObject({
      title: 'Declined by reviewer: run echo (agent)',
      text: expect.stringContaining(
        'reviewer rejected this call: “Unsafe”. Under the policy calls, a single rejection declines it.',
      ),
    });
  });

  it('does not notify of proposals addressed to others', async () => {
    const { journal, propose } = await setUp();
    const alice = listening();
    const notifier = await notify(journal, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    void propose('for bob', ['bob']);
    void propose('for alice', ['alice']);
    const [asked] = await alice.until(1);
    expect(asked?.items[0]?.summary.shown).toEqual(shown('for alice'));
  });

  it('resumes after a crash: nothing is lost, and repeats have the same id', async () => {
    const { journal, propose } = await setUp();
    // It dies while sending the first message: nobody learns whether it got through.
    const dying = listening((_, signal) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, why: 'killed', final: false }));
      });
    });
    const first = await notify(journal, routeOf(dying.channel));
    void propose('one');
    await dying.until(1);
    await first.close();
    void propose('two');
    const later = listening();
    let now = Date.now();
    const second = await startNotifier({
      journal,
      routes: [routeOf(later.channel)],
      hiding: { paths: [] },
      linkTo: () => '',
      // The claim of the one that died expires.
      clock: () => (now += 60_000),
      lookUp: async () => undefined,
      onAttempt: () => {},
      onFault: () => {},
    });
    onTestFinished(() => second.close());
    const told = await later.until(2);
    expect(told.map(({ items }) => items[0]?.summary.shown[0]?.text)).toEqual(['one', 'two']);
    expect(told[0]?.id).toBe(dying.got[0]?.id);
  });

  it('does not notify of proposals that came and went while it was down', async () => {
    const { journal, propose } = await setUp();
    await propose('over').withdraw();
    void propose('waiting');
    const alice = listening();
    const notifier = await notify(journal, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    const [asked] = await alice.until(1);
    expect(asked?.items).toMatchObject([{ summary: { shown: shown('waiting') } }]);
  });

  it('loses nothing if an older proposal ends after a newer one started', async () => {
    const { journal, propose } = await setUp();
    const first = propose('older');
    await first.accepted;
    await propose('newer').accepted;
    await first.withdraw();
    const alice = listening();
    const notifier = await notify(journal, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    const [asked] = await alice.until(1);
    expect(asked?.items[0]?.summary.shown).toEqual(shown('newer'));
  });

  it('resumes after the journal was briefly not writable', async () => {
    const { journal, propose } = await setUp();
    let isFull = true;
    const failing: Journal = {
      ...journal,
      head: (stream) => journal.head(stream),
      read: (stream, from) => journal.read(stream, from),
      feed: (space, after, options) => journal.feed(space, after, options),
      append: (stream, version, records) => {
        if (!isFull || !stream.includes('/outbox/')) return journal.append(stream, version, records);
        isFull = false;
        return Promise.reject(new Error('no space left'));
      },
    };
    const alice = listening();
    const notifier = await notify(failing, routeOf(alice.channel));
    onTestFinished(() => notifier.close());
    void propose('one');
    const [asked] = await alice.until(1);
    expect(asked?.items[0]?.summary.shown).toEqual(shown('one'));
  });

  it('sends one message if two gateways follow the same journal', async () => {
    const { journal, propose } = await setUp();
    const both = listening();
    const notifiers = await Promise.all([
      notify(journal, routeOf(both.channel)),
      notify(journal, routeOf(both.channel)),
    ]);
    onTestFinished(async () => {
      await Promise.all(notifiers.map((notifier) => notifier.close()));
    });
    for (const name of ['one', 'two', 'three']) void propose(name);
    await both.until(3);
    void propose('last');
    const told = await both.until(4);
    expect(new Set(told.map(({ id }) => id)).size).toBe(4);
    expect(told).toHaveLength(4);
  });

  it('parks undeliverable messages, and reports them', async () => {
    const { journal, propose } = await setUp();
    const attempts: string[] = [];
    let parked = (): void => {};
    const done = new Promise<void>((resolve) => {
      parked = resolve;
    });
    const notifier = await startNotifier({
      journal,
      routes: [routeOf(listening(() => Promise.resolve({ ok: false, why: 'gone', final: true })).channel)],
      hiding: { paths: [] },
      linkTo: () => '',
      clock: Date.now,
      lookUp: async () => undefined,
      onAttempt: (_, result) => {
        attempts.push(result);
        parked();
      },
      onFault: () => {},
    });
    onTestFinished(() => notifier.close());
    void propose('x');
    await done;
    expect(attempts).toEqual(['parked']);
    expect(await notifier.undelivered()).toMatchObject([
      { participant: 'alice', channel: 'test', why: 'gone' },
    ]);
  });
});
