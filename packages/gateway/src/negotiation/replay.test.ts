import { randomUUID } from 'node:crypto';
import { canonicalJson } from '@proffer/core/json';
import {
  encodeSession,
  type SessionRecord,
  type SessionState,
  sessionDecider,
  sessionStream,
} from '@proffer/core/negotiation';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { shared } from '../testing/journals.js';
import { commitPayload, openTable, startPayload } from '../testing/macp.js';
import { readEvents } from '../testing/peers/event-reader.js';
import { createRandom } from '../testing/random.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { openTestNegotiation, type TestNegotiation } from '../testing/test-negotiation.js';

const SEED = Number(process.env['PROFFER_SEED']);
const SESSIONS = 8;
const MESSAGES = process.env['PROFFER_LONG'] === undefined ? 40 : 400;

/** Everyone talks at once in a few sessions. */
async function talk({ say, caller }: TestNegotiation, ids: readonly string[], seed: number): Promise<void> {
  const random = createRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const who = () => pick(['buyer', 'seller', 'mallory']);
  const proposal = () => `p${Math.floor(random() * 6)}`;
  const initiator = await caller('buyer');
  const steps = Array.from({ length: MESSAGES * ids.length }, () => {
    const id = pick(ids);
    const payload = {
      proposal_id: proposal(),
      supersedes_proposal_id: proposal(),
      terminal: random() < 0.05,
    };
    const kind = pick([
      'Proposal',
      'Proposal',
      'CounterProposal',
      'Accept',
      'Accept',
      'Reject',
      'Withdraw',
      'Commitment',
      'control',
    ]);
    if (kind === 'Commitment') return () => say(id, 'buyer', kind, commitPayload());
    if (kind === 'control')
      return () => initiator.control(pick(['suspend', 'resume', 'resume', 'cancel']), id, '');
    const sender = who();
    return () => say(id, sender, kind, payload, `m${Math.floor(random() * 500)}`);
  });
  while (steps.length > 0)
    await Promise.all(steps.splice(0, 1 + Math.floor(random() * 20)).map((step) => step()));
}

const encode = (state: SessionState): string => canonicalJson(encodeSession(state));

async function replayed(journal: Journal, id: string): Promise<SessionState> {
  let state = sessionDecider.initial;
  for await (const record of journal.read(sessionStream(id))) {
    state = sessionDecider.evolve(state, record as unknown as SessionRecord);
  }
  return state;
}

describe('replay', () => {
  it.each(['memory', 'local'])(
    `I-3, N-12: on a %s journal gives the live state, byte for byte (PROFFER_SEED=${SEED})`,
    async (kind) => {
      await using folder = await temporaryFolder();
      const journal = kind === 'memory' ? createMemoryJournal() : await openJournal(folder.path);
      const ids = Array.from({ length: SESSIONS }, () => randomUUID());
      const live = new Map<string, string>();
      {
        await using before = await openTestNegotiation(journal);
        for (const id of ids) await before.say(id, 'buyer', 'SessionStart', startPayload());
        await talk(before, ids, SEED);
        for (const id of ids) live.set(id, encode(await before.negotiation.sessions.find(id)));
      }
      await using after = await openTestNegotiation(journal);
      for (const id of ids) {
        expect(encode(await replayed(journal, id))).toBe(live.get(id));
        expect(encode(await after.negotiation.sessions.find(id))).toBe(live.get(id));
      }
      expect((await journal.verify()).faults).toEqual([]);
      await journal.close();
    },
  );

  it('I-1, I-6, N-2, N-6: a restarted gateway knows every session, open or ended', async () => {
    await using folder = await temporaryFolder();
    const open = openTable('');
    const over = openTable('');
    const offer = { message_id: 'offer' };
    {
      await using server = await startTestGateway('dev: true', await openJournal(folder.path));
      for (const { id } of [open, over]) {
        const table = openTable(server.http, id);
        await table.start('buyer');
        await table.send('seller', 'Proposal', { proposal_id: 'p1' }, offer);
      }
      await openTable(server.http, over.id).control('buyer', 'cancel');
    }
    await using server = await startTestGateway('dev: true', await openJournal(folder.path));
    const [openAgain, overAgain] = [openTable(server.http, open.id), openTable(server.http, over.id)];
    const again = { ok: true, duplicate: true, sequence: 2 };
    expect(await openAgain.send('seller', 'Proposal', { proposal_id: 'p1' }, offer)).toMatchObject(again);
    expect(await overAgain.send('seller', 'Proposal', { proposal_id: 'p1' }, offer)).toMatchObject(again);
    expect(await openAgain.start('buyer')).toMatchObject({ code: 'SESSION_ALREADY_EXISTS' });
    expect(await overAgain.start('buyer')).toMatchObject({ code: 'SESSION_ALREADY_EXISTS' });
    expect(await overAgain.propose('seller', 'p2')).toMatchObject({
      code: 'SESSION_NOT_OPEN',
      state: 'CANCELLED',
    });
    expect(await overAgain.state('buyer')).toBe('CANCELLED');
    expect(await overAgain.envelopes('buyer')).toHaveLength(3);
    expect(await openAgain.accept('seller', 'p1')).toMatchObject({ ok: true, sequence: 3 });
    expect(await openAgain.commit('buyer')).toMatchObject({ ok: true, state: 'RESOLVED' });
  });

  it('I-6: a follower that returns to a restarted gateway misses nothing and sees nothing twice', async () => {
    await using folder = await temporaryFolder();
    const { id } = openTable('');
    const path = `/macp/session/${id}/envelopes`;
    const seen: (number | undefined)[] = [];
    {
      await using server = await startTestGateway('dev: true', await openJournal(folder.path));
      const table = openTable(server.http, id);
      await table.start('buyer');
      await using reader = await readEvents(`${server.http}${path}`, 'seller');
      const sending = Promise.all(
        Array.from({ length: 30 }, (_, index) => table.propose('buyer', `p${index}`)),
      );
      seen.push(...(await reader.take(10)).map((event) => event.id));
      await sending;
      await server.gateway.close();
      let event = await reader.next();
      for (; event?.name === ''; event = await reader.next()) seen.push(event.id);
      expect(event).toMatchObject({ name: 'end', data: 'going_away' });
    }
    await using server = await startTestGateway('dev: true', await openJournal(folder.path));
    await using reader = await readEvents(`${server.http}${path}`, 'seller', seen.at(-1));
    await openTable(server.http, id).propose('seller', 'late');
    seen.push(...(await reader.take(32 - seen.length)).map((event) => event.id));
    expect(seen).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
  });

  it('N-2: the id of a session stays taken when its records are removed', async () => {
    const journal = createMemoryJournal();
    const id = randomUUID();
    {
      await using server = await startTestGateway('dev: true', shared(journal));
      await openTable(server.http, id).start('buyer');
      await openTable(server.http, id).control('buyer', 'cancel');
    }
    await journal.compact({ before: Number.MAX_SAFE_INTEGER, keep: () => false });
    await using server = await startTestGateway('dev: true', shared(journal));
    const table = openTable(server.http, id);
    expect(await table.start('buyer')).toMatchObject({ code: 'SESSION_ALREADY_EXISTS' });
    expect(await table.propose('buyer', 'p1')).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect((await table.show('buyer')).code).toBe('SESSION_NOT_FOUND');
  });
});
