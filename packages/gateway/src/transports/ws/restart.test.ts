import { createMemoryJournal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { openJournal, temporaryFolder } from '../../testing/folder.js';
import { journalWith, shared } from '../../testing/journals.js';
import { answer, chat, fulfilment, proposal, withdrawal } from '../../testing/messages.js';
import { ask } from '../../testing/peers/http.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { startTestGateway } from '../../testing/test-gateway.js';

describe('seq', () => {
  it('O-4: only grows, over every message of the space, and across a restart', async () => {
    await using folder = await temporaryFolder();
    const seqs: (number | undefined)[] = [];
    for (const round of ['a', 'b']) {
      await using gateway = await startTestGateway('dev: true', await openJournal(folder.path));
      await using agent = await connectPeer(gateway.ws, 'agent');
      await agent.say(proposal(`p${round}`));
      await agent.say(chat(`c${round}`));
      await agent.say(withdrawal(`w${round}`, `p${round}`));
      seqs.push(...agent.messages.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq));
    }
    expect(seqs).toHaveLength(6);
    expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => Number(left) - Number(right)));
  });
});

describe('restart', () => {
  it('O-22, I-1, I-2: another gateway continues where the first one stopped, with nothing but the journal', async () => {
    await using folder = await temporaryFolder();
    let before: unknown;
    {
      await using gateway = await startTestGateway('dev: true', await openJournal(folder.path));
      await using tools = await connectPeer(gateway.ws, 'tools');
      await using agent = await connectPeer(gateway.ws, 'agent');
      await using reviewer = await connectPeer(gateway.ws, 'reviewer');
      await tools.say({
        id: 't1',
        kind: 'mcpx.announce.tools',
        payload: { tools: [{ name: 'write_file' }] },
      });
      for (const id of ['p1', 'p2', 'p3']) await agent.say(proposal(id));
      await reviewer.say(fulfilment('f1', 'p1'));
      await agent.say(withdrawal('w2', 'p2'));
      before = (await ask(`${gateway.http}/spaces/main/proposals`, 'agent')).body;
    }
    await using gateway = await startTestGateway('dev: true', await openJournal(folder.path));
    await using tools = await connectPeer(gateway.ws, 'tools');
    expect((await ask(`${gateway.http}/spaces/main/proposals`, 'agent')).body).toEqual(before);
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const welcome = await reviewer.next(({ kind }) => kind === 'system.welcome');
    expect(welcome.payload['pending']).toMatchObject([{ id: 'p3' }]);
    reviewer.send(fulfilment('f2', 'p1'));
    expect(await reviewer.error('f2')).toMatchObject({ error: 'proposal_not_pending', by: 'reviewer' });
    // A repeated fulfilment is the same one, not a second one.
    reviewer.send(fulfilment('f1', 'p1'));
    await reviewer.next(({ id, seq }) => id === 'f1' && seq !== undefined);
    // Served tools are known as before: nobody has to be named.
    await reviewer.say(fulfilment('f3', 'p3', []));
    await tools.next(({ id }) => id === 'f3');
    await tools.say(answer('a1', 'f1'));
    expect(tools.messages.filter(({ id }) => id === 'f1')).toEqual([]);
  });

  it('O-22: what was due while history was read is decided on all of it', async () => {
    const journal = createMemoryJournal();
    let now = Date.now();
    {
      await using gateway = await startTestGateway('dev: true', shared(journal), () => now);
      await using tools = await connectPeer(gateway.ws, 'tools');
      await using agent = await connectPeer(gateway.ws, 'agent');
      await using reviewer = await connectPeer(gateway.ws, 'reviewer');
      await agent.say(proposal('p1', { ttl: 60_000 }));
      await reviewer.say(fulfilment('f1', 'p1'));
      await tools.say(answer('a1', 'f1'));
    }
    now += 3_600_000;
    // Between two records there is time enough for timers.
    const slowly = journalWith(journal, {
      async *feed(...given) {
        for await (const record of journal.feed(...given)) {
          yield record;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
    });
    await using gateway = await startTestGateway('dev: true', slowly, () => now);
    const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
    expect(body).toMatchObject({
      proposal: { phase: 'settled', fulfilment: { by: 'reviewer' }, outcome: { result: 'ok' } },
    });
    expect(body['history']).toHaveLength(3);
  });
});
