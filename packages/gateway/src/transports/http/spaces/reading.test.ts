import { refuse } from '@proffer/core';
import { createMemoryJournal, EVERY_SPACE, type Journal, JournalError } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../../../testing/folder.js';
import { journalWith, shared } from '../../../testing/journals.js';
import { chat, fulfilment, proposal, rejection, withdrawal } from '../../../testing/messages.js';
import { readMetric } from '../../../testing/metrics.js';
import { type Answer, ask, post } from '../../../testing/peers/http.js';
import { connectPeer } from '../../../testing/peers/peer.js';
import { startTestGateway } from '../../../testing/test-gateway.js';

const HOUR = 3_600_000;

interface Listed {
  readonly id: string;
  readonly phase: string;
  readonly decision?: { readonly by?: string; readonly reason?: string; readonly took: number };
}

/** All pages of a list, in order. */
async function pages(http: string, query: string, token = 'agent'): Promise<readonly (readonly Listed[])[]> {
  const found: (readonly Listed[])[] = [];
  for (let after = ''; ; ) {
    const url = `${http}/spaces/main/proposals?${query}${after}`;
    const { status, body } = await ask(url, token);
    expect(status).toBe(200);
    const { proposals, next } = body as unknown as { proposals: readonly Listed[]; next?: string };
    found.push(proposals);
    if (next === undefined) return found;
    after = `&after=${encodeURIComponent(next)}`;
  }
}

const idsOf = (listed: readonly (readonly Listed[])[]) => listed.flat().map(({ id }) => id);

/** Ends proposals in every way, some time ago, so that a gateway that opens it later evicts them. */
async function pastDecisions(journal: Journal): Promise<void> {
  const clock = { now: Date.now() - 2 * HOUR };
  await using gateway = await startTestGateway('dev: true', shared(journal), () => clock.now);
  // The executor has to be connected.
  await using executor = await connectPeer(gateway.ws, 'reviewer');
  await executor.next(({ kind }) => kind === 'system.welcome');
  for (let number = 0; number < 6; number++) {
    await post(gateway.http, 'agent', proposal(`p${number}`));
    await post(gateway.http, 'agent', chat(`c${number}`));
  }
  clock.now += 5_000;
  await post(gateway.http, 'reviewer', fulfilment('f0', 'p0', ['reviewer']));
  await post(gateway.http, 'reviewer', {
    id: 'a0',
    kind: 'mcp.response.tools/call',
    correlationId: 'f0',
    payload: { result: {} },
  });
  const withdrawn = { ...withdrawal('w', ''), correlationId: ['p1', 'p3'], payload: { reason: 'moot' } };
  await post(gateway.http, 'agent', withdrawn);
}

/** The same journal, for a gateway with none of it in memory. */
async function letGo(journal: Journal): Promise<Journal> {
  const last = await journal.lastSeq('main');
  // Only the replay at startup asks for every space.
  return journalWith(journal, {
    feed: (space, after, options) => journal.feed(space, space === EVERY_SPACE ? last : after, options),
  });
}

describe('proposal list', () => {
  it('O-22: covers the whole history, also what was evicted from memory, page by page', async () => {
    await using folder = await temporaryFolder();
    {
      const journal = await openJournal(folder.path);
      await pastDecisions(journal);
      await journal.close();
    }
    await using gateway = await startTestGateway('dev: true', await letGo(await openJournal(folder.path)));
    await post(gateway.http, 'agent', chat('later'));
    const all = await pages(gateway.http, 'limit=4');
    expect(all.map((page) => page.length)).toEqual([4, 2]);
    expect(idsOf(all)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
    expect(idsOf(await pages(gateway.http, 'state=withdrawn&limit=1'))).toEqual(['p1', 'p3']);
    expect(idsOf(await pages(gateway.http, 'state=settled'))).toEqual(['p0']);
    expect(idsOf(await pages(gateway.http, 'state=expired'))).toEqual([]);
    expect(idsOf(await pages(gateway.http, 'proposer=agent&limit=3'))).toHaveLength(6);
    expect(idsOf(await pages(gateway.http, 'proposer=reviewer'))).toEqual([]);
  });

  it('says who decided what, why, and how long it took', async () => {
    const journal = createMemoryJournal();
    await pastDecisions(journal);
    await using gateway = await startTestGateway('dev: true', journal);
    const [byReviewer] = await pages(gateway.http, 'decidedBy=reviewer');
    expect(byReviewer).toMatchObject([
      { id: 'p0', decision: { decision: 'fulfilled', by: 'reviewer', took: 5_000 } },
    ]);
    const [byAgent] = await pages(gateway.http, 'decidedBy=agent');
    expect(byAgent?.map(({ id, decision }) => [id, decision?.by, decision?.reason, decision?.took])).toEqual([
      ['p1', 'agent', 'moot', 5_000],
      ['p3', 'agent', 'moot', 5_000],
    ]);
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
    expect(body['proposal']).toMatchObject({ decision: { by: 'agent', reason: 'moot', took: 5_000 } });
  });

  it('O-45: says why a proposal ended and by whom, in the list and alone', async () => {
    const review = '{ name: calls, call: "mcp.request.*", veto: true }';
    await using gateway = await startTestGateway(`dev: true\nspaces: { main: { review: [${review}] } }`);
    await post(gateway.http, 'agent', proposal('p1'));
    const no = { reason: 'unsafe', message: 'not on a Friday' };
    await post(gateway.http, 'reviewer', { ...rejection('r1', 'p1'), payload: no });
    const ended = {
      ending: { why: 'veto', by: 'reviewer', entry: 'calls', ...no },
      decision: { decision: 'declined', why: 'veto', by: 'reviewer', ...no },
    };
    const [listed] = (await pages(gateway.http, 'state=declined')).flat();
    expect(listed).toMatchObject(ended);
    const alone = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
    expect(alone.body['proposal']).toMatchObject(ended);
  });

  it('pages of pending proposals miss and repeat nothing, whatever ends meanwhile', async () => {
    const clock = { now: Date.now() };
    await using gateway = await startTestGateway('dev: true', createMemoryJournal(), () => clock.now);
    for (const id of ['b', 'a', 'd', 'c', 'e']) await post(gateway.http, 'agent', proposal(id));
    clock.now += 1;
    await post(gateway.http, 'agent', proposal('A'));
    const url = `${gateway.http}/spaces/main/proposals?state=pending&limit=2`;
    const first = (await ask(url, 'agent')).body;
    expect(first).toMatchObject({ proposals: [{ id: 'a' }, { id: 'b' }], more: 4 });
    await post(gateway.http, 'agent', withdrawal('w1', 'b'));
    await post(gateway.http, 'agent', withdrawal('w2', 'd'));
    const next = encodeURIComponent(first['next'] as string);
    const second = (await ask(`${url}&after=${next}`, 'agent')).body;
    expect(second).toMatchObject({ proposals: [{ id: 'c' }, { id: 'e' }], more: 1 });
    const last = (await ask(`${url}&after=${encodeURIComponent(second['next'] as string)}`, 'agent')).body;
    expect(last).toMatchObject({ proposals: [{ id: 'A' }], more: 0 });
    expect(last).not.toHaveProperty('next');
  });

  it('O-21: messages between others stay hidden, in the history too', async () => {
    const yaml = 'dev: true\nspaces: { main: { visibility: addressed } }';
    await using gateway = await startTestGateway(yaml);
    await post(gateway.http, 'agent', { ...proposal('p1'), to: ['reviewer'] });
    await post(gateway.http, 'agent', proposal('p2'));
    await post(gateway.http, 'agent', withdrawal('w1', 'p1'));
    for (const [name, seen] of [
      ['agent', ['p1', 'p2']],
      ['reviewer', ['p1', 'p2']],
      ['stranger', ['p2']],
    ] as const) {
      expect(idsOf(await pages(gateway.http, 'limit=1', name))).toEqual(seen);
    }
  });

  it('I-7: an answer scans only a part of a history without matches, and says where it continues', async () => {
    const journal = createMemoryJournal();
    await using gateway = await startTestGateway('dev: true', journal);
    const said = Array.from({ length: 20_100 }, (_, index) => ({
      type: 'said',
      time: Date.now() - HOUR,
      principal: 'stranger',
      envelope: { ...chat(`s${index}`), protocol: 'mcpx/v0.1', from: 'stranger', ts: '2026-01-01T00:00:00Z' },
      facts: { participant: 'stranger', fingerprint: 'x' },
    }));
    await journal.append('main/participant/stranger', 0, said);
    await post(gateway.http, 'agent', proposal('p1'));
    expect((await pages(gateway.http, 'state=expired')).length).toBeGreaterThan(1);
    expect(idsOf(await pages(gateway.http, 'proposer=agent'))).toEqual(['p1']);
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'after=x', 'after=-1', 'state=pending&after=7', 'state=x'])(
    '?%s is refused with what is expected',
    async (query) => {
      await using gateway = await startTestGateway();
      const { status, body } = await ask(`${gateway.http}/spaces/main/proposals?${query}`, 'agent');
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'invalid_field',
        details: { expected: expect.any(String) },
      });
    },
  );
});

describe('feed', () => {
  it('says when each message was accepted, whatever its sender claims', async () => {
    const now = Date.now() - HOUR;
    await using gateway = await startTestGateway('dev: true', createMemoryJournal(), () => now);
    await post(gateway.http, 'agent', { ...chat('c1'), ts: '2001-01-01T00:00:00Z' });
    const { body } = await ask(`${gateway.http}/spaces/main/feed`, 'agent');
    expect(body['messages']).toMatchObject([{ id: 'c1', ts: '2001-01-01T00:00:00Z', time: now }]);
    await using stream = await openFeed(`${gateway.http}/spaces/main/feed`);
    expect(await stream.until('"c1"')).toMatch(new RegExp(`^id: 1\ntime: ${now}\ndata: \\{.*"c1"`, 'm'));
  });

  it('I-6: after now there are only new messages, and the position to continue from', async () => {
    await using gateway = await startTestGateway();
    for (const id of ['c1', 'c2']) await post(gateway.http, 'agent', chat(id));
    const url = `${gateway.http}/spaces/main/feed?after=now`;
    expect((await ask(url, 'agent')).body).toEqual({ messages: [], seq: 2 });
    await using stream = await openFeed(url);
    await stream.until('id: 2\n\n');
    await post(gateway.http, 'agent', chat('c3'));
    const text = await stream.until('"c3"');
    expect(text).toContain('id: 3\n');
    expect(text).not.toContain('"c2"');
    // As a browser reconnects to the same address.
    await using again = await openFeed(url, { 'last-event-id': '1' });
    expect(await again.until('"c3"')).toContain('"c2"');
  });
});

/** A live feed, and what it delivered. */
async function openFeed(url: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { authorization: 'Bearer agent', accept: 'text/event-stream', ...more };
  const { body } = await fetch(url, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async until(part: string): Promise<string> {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
      return text;
    },
    [Symbol.asyncDispose]: () => reader?.cancel() ?? Promise.resolve(),
  };
}

describe('whoami', () => {
  it('says who a token belongs to, where it may go and what it may do there', async () => {
    const yaml =
      'dev: true\nspaces: { main: {}, side: {} }\nparticipants: { ann: { spaces: { side: [chat.message] }, observer: true } }';
    await using gateway = await startTestGateway(yaml);
    expect((await ask(`${gateway.http}/whoami`, 'ann')).body).toEqual({
      participant: 'ann',
      credential: 'dev:ann',
      observer: true,
      spaces: [{ name: 'side', capabilities: ['chat.message'] }],
    });
    expect(await ask(`${gateway.http}/whoami`, undefined)).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });
});

describe('read rate', () => {
  const limited = 'dev: true\nlimits: { messages_per_participant: 20/h }';
  const stream = { accept: 'text/event-stream' };

  it.each([
    ['/spaces/main/proposals', {}],
    ['/spaces/main/proposals/p1', {}],
    ['/spaces/main/feed', {}],
    ['/spaces/main/feed', stream],
    ['/whoami', {}],
  ])('I-7: GET %s counts as a message, and excess ones get a retry time (%o)', async (path, headers) => {
    await using gateway = await startTestGateway(limited);
    await post(gateway.http, 'agent', proposal('p1'));
    const get = (name: string): Promise<Answer> => ask(`${gateway.http}${path}`, name);
    for (let read = 1; read < 20; read++) expect((await get('agent')).status).toBe(200);
    const refused = await ask(`${gateway.http}${path}`, 'agent', { headers });
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.body).toMatchObject({ details: { retry_after_ms: expect.any(Number) } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({ status: 429 });
    expect((await get('reviewer')).status).toBe(200);
    expect(await readMetric(gateway.http, 'proffer_refusals_total', '{code="rate_limited"}')).toBe(2);
    expect(await readMetric(gateway.http, 'proffer_connections', '{transport="sse"}')).toBe(0);
  });
});

it('reports why the journal cannot be read, and logs other errors only', async () => {
  let fault: Error = new JournalError(refuse('unavailable', 'NATS could not be reached: timeout.'));
  const away = (): never => {
    throw fault;
  };
  const journal = journalWith(createMemoryJournal(), { read: away });
  await using gateway = await startTestGateway('dev: true', journal);
  await post(gateway.http, 'agent', proposal('p'));
  const url = `${gateway.http}/spaces/main/proposals/p`;
  const outage = await ask(url, 'agent');
  expect(outage).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(outage.body['detail']).toMatch(/^NATS could not be reached: timeout\. Retry in a moment/);
  fault = new JournalError(refuse('journal_damaged', '/var/lib/proffer/1.log is damaged.'));
  const damaged = await ask(url, 'agent');
  expect(damaged.body['detail']).toMatch(/^Internal error in the gateway\. Its log has the details\. Retry/);
});
