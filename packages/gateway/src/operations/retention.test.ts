import { mayBeRemoved } from '@proffer/core';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { shared } from '../testing/journals.js';
import { chat, fulfilment, proposal, rejection, withdrawal } from '../testing/messages.js';
import { until } from '../testing/metrics.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';

const DAY = 86_400_000;

async function compact(journal: Journal): Promise<void> {
  await journal.compact({ before: Date.now(), keep: (last) => !mayBeRemoved(last) });
}

/** A journal in which `old` was withdrawn a month ago and removed, and `kept` is still pending. */
async function withRemoved(journal: Journal): Promise<void> {
  const monthAgo = () => Date.now() - 30 * DAY;
  await using gateway = await startTestGateway('dev: true', shared(journal), monthAgo);
  await post(gateway.http, 'agent', proposal('old'));
  await post(gateway.http, 'agent', withdrawal('w1', 'old'));
  await post(gateway.http, 'agent', proposal('kept'));
  await post(gateway.http, 'agent', chat('c1'));
  await compact(journal);
}

describe('after retention', () => {
  it.each([
    ['in memory', () => Promise.resolve(createMemoryJournal())],
    ['on disk', undefined],
  ])('O-3: the id of a removed proposal stays taken, %s', async (_, open) => {
    await using folder = await temporaryFolder();
    const journal = open === undefined ? await openJournal(folder.path) : await open();
    await withRemoved(journal);
    await using gateway = await startTestGateway('dev: true', journal);
    expect(await post(gateway.http, 'agent', proposal('old'))).toMatchObject({
      status: 409,
      code: 'id_conflict',
    });
    await using agent = await connectPeer(gateway.ws, 'agent');
    agent.send(proposal('old', { ttl: 5 }));
    expect(await agent.error('old')).toMatchObject({ error: 'id_conflict', found: 'old' });
    await agent.say(proposal('new'));
  });

  it('O-12, O-16: references to it are late, or refused if they could run twice', async () => {
    const journal = createMemoryJournal();
    await withRemoved(journal);
    await using gateway = await startTestGateway('dev: true', journal);
    const { body } = await post(gateway.http, 'reviewer', rejection('r1', 'old'));
    expect(body).toMatchObject({ status: 'late' });
    expect(await post(gateway.http, 'reviewer', fulfilment('f1', 'old', ['agent']))).toMatchObject({
      status: 409,
      code: 'proposal_not_pending',
    });
    expect(await ask(`${gateway.http}/spaces/main/proposals/old`, 'agent')).toMatchObject({ status: 404 });
  });

  it('O-22: pending proposals are still there, and participants keep talking', async () => {
    const journal = createMemoryJournal();
    await withRemoved(journal);
    await using gateway = await startTestGateway('dev: true', journal);
    await using agent = await connectPeer(gateway.ws, 'agent');
    await agent.say(withdrawal('w2', 'kept'));
    await agent.say(chat('c2'));
  });

  it('O-3: a removed proposal that is still in memory is a conflict too', async () => {
    const journal = createMemoryJournal();
    const clock = { now: Date.now() - DAY };
    await using gateway = await startTestGateway('dev: true', journal, () => clock.now);
    await post(gateway.http, 'agent', proposal('old'));
    await post(gateway.http, 'agent', withdrawal('w1', 'old'));
    clock.now += DAY;
    await compact(journal);
    expect(await post(gateway.http, 'agent', proposal('old'))).toMatchObject({
      status: 409,
      code: 'id_conflict',
    });
  });
});

describe('journal.retention', () => {
  it('a running gateway removes what ended before the limit, and nothing else', async () => {
    const journal = createMemoryJournal();
    const clock = { now: Date.now() - 30 * DAY };
    {
      await using gateway = await startTestGateway('dev: true', shared(journal), () => clock.now);
      for (const id of ['old', 'kept', 'young']) await post(gateway.http, 'agent', proposal(id));
      await post(gateway.http, 'agent', withdrawal('w1', 'old'));
      clock.now += 25 * DAY;
      await post(gateway.http, 'agent', withdrawal('w2', 'young'));
    }
    const yaml = 'dev: true\njournal: { retention: 7d }';
    await using gateway = await startTestGateway(yaml, journal);
    const list = async () => {
      const { body } = await ask(`${gateway.http}/spaces/main/proposals`, 'agent');
      return (body['proposals'] as readonly { readonly id: string }[]).map(({ id }) => id);
    };
    await until(async () => !(await list()).includes('old'));
    expect(await list()).toEqual(['kept', 'young']);
    expect(await post(gateway.http, 'agent', proposal('old'))).toMatchObject({ code: 'id_conflict' });
  });
});
