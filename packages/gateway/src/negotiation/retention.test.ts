import { randomUUID } from 'node:crypto';
import { mayBeRemoved } from '@proffer/core';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { shared } from '../testing/journals.js';
import { openTestNegotiation, type TestNegotiation } from '../testing/test-negotiation.js';
import { createToken } from '../token.js';

const DAY = 86_400_000;
const START = {
  intent: 'agree',
  participants: ['ann', 'bob'],
  mode_version: '1.0.0',
  configuration_version: '1',
  ttl_ms: DAY,
};
const COMMITMENT = {
  commitment_id: 'c1',
  action: 'sell',
  authority_scope: 'all',
  reason: 'agreed',
  mode_version: '1.0.0',
  configuration_version: '1',
  policy_version: 'policy.default',
  outcome_positive: true,
};

async function compact(journal: Journal, before = Date.now() - DAY): Promise<void> {
  await journal.compact({ before, keep: (last) => !mayBeRemoved(last) });
}

async function open(negotiating: TestNegotiation): Promise<string> {
  const id = randomUUID();
  expect(await negotiating.say(id, 'ann', 'SessionStart', START)).toMatchObject({ ok: true });
  expect(await negotiating.say(id, 'bob', 'Proposal', { proposal_id: 'p1', title: 't' })).toMatchObject({
    ok: true,
  });
  return id;
}

/** Sessions from a month ago, one in each possible state, and an open one from today. */
async function monthOld(journal: Journal) {
  const clock = { now: Date.now() - 30 * DAY };
  await using negotiating = await openTestNegotiation(shared(journal), { clock: () => clock.now });
  const ann = await negotiating.caller('ann');
  const resolved = await open(negotiating);
  for (const name of ['ann', 'bob']) await negotiating.say(resolved, name, 'Accept', { proposal_id: 'p1' });
  const committed = { ok: true, session_state: 'RESOLVED' };
  expect(await negotiating.say(resolved, 'ann', 'Commitment', COMMITMENT)).toMatchObject(committed);
  const cancelled = await open(negotiating);
  expect(await ann.control('cancel', cancelled, 'enough')).toMatchObject({ ok: true });
  const suspended = await open(negotiating);
  expect(await ann.control('suspend', suspended, 'later')).toMatchObject({ ok: true });
  const expired = await open(negotiating);
  clock.now += DAY + 1_000;
  await negotiating.negotiation.sessions.expire(expired);
  clock.now = Date.now();
  return { resolved, cancelled, suspended, expired, open: await open(negotiating) };
}

describe.each([
  ['in memory', () => Promise.resolve(createMemoryJournal())],
  ['on disk', undefined],
])('sessions after retention, %s', (_, make) => {
  it('N-4: removes ended old sessions; open and suspended ones stay', async () => {
    await using folder = await temporaryFolder();
    const journal = make === undefined ? await openJournal(folder.path) : await make();
    const ids = await monthOld(journal);
    await compact(journal);
    await using negotiating = await openTestNegotiation(shared(journal));
    const ann = await negotiating.caller('ann');
    for (const id of [ids.resolved, ids.cancelled, ids.expired]) {
      expect(await ann.session(id)).toMatchObject({ ok: false, refusal: { code: 'SESSION_NOT_FOUND' } });
    }
    expect(await ann.session(ids.open)).toMatchObject({ ok: true, value: { state: 'OPEN' } });
    expect(await ann.session(ids.suspended)).toMatchObject({ ok: true });
    expect((await journal.verify()).faults).toEqual([]);
    await journal.close();
  });

  it('N-2, N-28: keeps the id of a removed one taken, and says that its history is gone', async () => {
    await using folder = await temporaryFolder();
    const journal = make === undefined ? await openJournal(folder.path) : await make();
    const { cancelled: id } = await monthOld(journal);
    await compact(journal);
    await using negotiating = await openTestNegotiation(shared(journal));
    const ann = await negotiating.caller('ann');
    const gone = { ok: false, error: { code: 'SESSION_NOT_FOUND' } };
    expect(await negotiating.say(id, 'ann', 'SessionStart', START)).toMatchObject({
      ok: false,
      error: { code: 'SESSION_ALREADY_EXISTS' },
    });
    expect(await negotiating.say(id, 'bob', 'Accept', { proposal_id: 'p1' })).toMatchObject(gone);
    expect(await ann.control('cancel', id, 'again')).toMatchObject(gone);
    const listener = { write() {}, buffered: () => 0, drained: () => Promise.resolve(), end() {} };
    // Start, proposal and cancellation are gone.
    const removed = { refusal: { code: 'HISTORY_UNAVAILABLE', details: { lowest_available_sequence: 4 } } };
    expect(await ann.follow(id, 0, listener)).toMatchObject(removed);
    expect(await ann.history(id, 0, { records: 10, size: 1_000 })).toMatchObject(removed);
    expect(await ann.whatIf(id, {})).toMatchObject(removed);
    const never = { refusal: { code: 'SESSION_NOT_FOUND' } };
    expect(await ann.follow(randomUUID(), 0, listener)).toMatchObject(never);
    expect(negotiating.negotiation.sessions.size).toBe(2);
    await journal.close();
  });

  it('N-8, N-28: tells nobody of a removed one who may not read every session', async () => {
    await using folder = await temporaryFolder();
    const journal = make === undefined ? await openJournal(folder.path) : await make();
    const { resolved: id } = await monthOld(journal);
    await compact(journal);
    const [watcher, eve] = [createToken(), createToken()];
    const yaml = `participants:
  watcher: { tokens: [${watcher.hash}], spaces: { main: ["*"] }, negotiation: { is_observer: true } }
  eve: { tokens: [${eve.hash}], spaces: { main: ["*"] } }`;
    await using negotiating = await openTestNegotiation(shared(journal), { yaml });
    const listener = { write() {}, buffered: () => 0, drained: () => Promise.resolve(), end() {} };
    for (const [token, code] of [
      [watcher.token, 'HISTORY_UNAVAILABLE'],
      [eve.token, 'SESSION_NOT_FOUND'],
    ] as const) {
      const caller = await negotiating.caller(token);
      const answers = [
        await caller.follow(id, 0, listener),
        await caller.history(id, 1, { records: 10, size: 1_000 }),
        await caller.whatIf(id, {}),
        await caller.receipt(id),
      ];
      expect(answers.map((answer) => !answer.ok && answer.refusal.code)).toEqual(Array(4).fill(code));
    }
    // As about one that never was.
    const refusalOf = async (session: string) => {
      const answer = await (await negotiating.caller(eve.token)).follow(session, 0, listener);
      return answer.ok ? undefined : JSON.stringify(answer.refusal).replaceAll(session, 'ID');
    };
    expect(await refusalOf(id)).toBe(await refusalOf(randomUUID()));
    await journal.close();
  });

  it('N-4: forgets one that is still in memory at once when it is removed', async () => {
    await using folder = await temporaryFolder();
    const journal = make === undefined ? await openJournal(folder.path) : await make();
    await using negotiating = await openTestNegotiation(shared(journal));
    const id = await open(negotiating);
    const ann = await negotiating.caller('ann');
    expect(await ann.control('cancel', id, 'enough')).toMatchObject({ ok: true });
    expect(await ann.session(id)).toMatchObject({ ok: true, value: { state: 'CANCELLED' } });
    await compact(journal, Date.now() + DAY);
    expect(await ann.session(id)).toMatchObject({ refusal: { code: 'SESSION_NOT_FOUND' } });
    expect(await negotiating.say(id, 'bob', 'Accept', { proposal_id: 'p1' })).toMatchObject({
      error: { code: 'SESSION_NOT_FOUND' },
    });
    expect(await negotiating.say(id, 'ann', 'SessionStart', START)).toMatchObject({
      error: { code: 'SESSION_ALREADY_EXISTS' },
    });
    await journal.close();
  });
});
