import { type Envelope } from '@proffer/core';
import { compileCapabilities } from '@proffer/core/capability';
import { canonicalJson } from '@proffer/core/json';
import { spaceSettings, viewSpace } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { createBreakableDisk, type Fault } from '../testing/breakable-disk.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { createGate, shared } from '../testing/journals.js';
import { answer, chat, fulfilment, proposal, rejection, withdrawal } from '../testing/messages.js';
import { until } from '../testing/metrics.js';
import { ask, post } from '../testing/peers/http.js';
import { connectPeer } from '../testing/peers/peer.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { SpaceHost } from './space-host.js';
import type { SpaceMessageOutcome } from './space-message-outcome.js';

const FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ['is full', { code: 'ENOSPC', share: 0 }],
  ['becomes full half way', { code: 'ENOSPC', share: 0.5 }],
  ['fails', { code: 'EIO', share: 0 }],
  ['fails half way', { code: 'EIO', share: 0.5 }],
  ['takes all and says it failed', { code: 'EIO', share: 1 }],
];

/** The whole state of the space from a replay of the journal. */
async function replayed(journal: Journal): Promise<string> {
  const { host } = await SpaceHost.open({
    journal,
    settings: spaceSettings({ name: 'main' }),
    clock: Date.now,
    absenceGrace: 60_000,
    onGone: () => {},
    onFault: () => {},
  });
  host.stop();
  const { settings: _, ...state } = viewSpace(host.state);
  return canonicalJson(state);
}

/** The lives of several proposals; who sends what. */
const STORY = [
  ['agent', chat('c1')],
  ['agent', proposal('p1')],
  ['agent', proposal('p2')],
  ['reviewer', rejection('r1', 'p2')],
  ['reviewer', fulfilment('f1', 'p1')],
  ['tools', answer('a1', 'f1')],
  ['agent', withdrawal('w1', 'p2')],
] as const;

const NOBODY = { capabilities: compileCapabilities([]) };

describe('a disk that', () => {
  it.each(FAULTS)(
    'I-1, I-3, I-5: %s, at every write: a refused message leaves no trace and is accepted when resent',
    async (_, fault) => {
      for (let from = 0; from < STORY.length; from++) {
        await using folder = await temporaryFolder();
        const disk = createBreakableDisk();
        const journal = await openJournal(folder.path, { disk });
        const accepted = new Map<string, number>();
        {
          await using gateway = await startTestGateway('dev: true', journal);
          await using tools = await connectPeer(gateway.ws, 'tools');
          await using agent = await connectPeer(gateway.ws, 'agent');
          await using reviewer = await connectPeer(gateway.ws, 'reviewer');
          const peers = { agent, reviewer, tools };
          disk.faultFrom = disk.writes + from;
          disk.fault = fault;
          for (const [who, message] of STORY) {
            const fails = disk.fault !== undefined && disk.writes >= disk.faultFrom;
            if (!fails) {
              accepted.set(message.id, (await peers[who].say(message)).seq ?? 0);
              continue;
            }
            peers[who].send(message);
            expect(await peers[who].error(message.id)).toMatchObject({ error: 'unavailable' });
            const overHttp = await post(gateway.http, who, message);
            expect(overHttp).toMatchObject({ status: 503, code: 'unavailable' });
            // There is room again: the same message is a new one, over either transport.
            disk.fault = undefined;
            const again = await post(gateway.http, who, message);
            expect(again.body).toMatchObject({ status: 'accepted' });
            accepted.set(message.id, Number(again.body['seq']));
            await peers[who].next(({ id, seq }) => id === message.id && seq !== undefined);
          }
          const seqs = [...accepted.values()];
          expect(seqs).toEqual([...seqs].sort((left, right) => left - right));
          // Everyone saw the story once and in order, and nothing that was refused.
          await agent.say(chat('end'));
          await tools.next(({ id }) => id === 'end');
          const seen = tools.messages.filter(({ seq }) => seq !== undefined).map(({ id }) => id);
          expect(seen).toEqual([...STORY.map(([, { id }]) => id), 'end']);
          const { body } = await ask(`${gateway.http}/spaces/main/proposals/p1`, 'agent');
          expect(body).toMatchObject({
            proposal: { phase: 'settled', version: 3, outcome: { result: 'ok' } },
          });
          // The live state equals a replay of the very same journal.
          const live = await ask(`${gateway.http}/spaces/main/proposals`, 'agent');
          const again = await startTestGateway('dev: true', shared(journal));
          expect((await ask(`${again.http}/spaces/main/proposals`, 'agent')).body).toEqual(live.body);
          await again.gateway.close();
        }
        const reopened = await openJournal(folder.path);
        expect((await reopened.verify()).faults).toEqual([]);
        expect(await replayed(reopened)).toContain('"p1"');
        await reopened.close();
      }
    },
  );

  it('I-1, I-3: fails with many messages in flight rolls back what was decided on top, and no more', async () => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const journal = await openJournal(folder.path, { disk });
    const { host } = await SpaceHost.open({
      journal,
      settings: spaceSettings({ name: 'main' }),
      clock: Date.now,
      absenceGrace: 60_000,
      onGone: () => {},
      onFault: (error) => {
        throw error;
      },
    });
    const submit = (from: string, message: object) => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as Envelope;
      return new Promise<SpaceMessageOutcome>((settle) => host.submit({ envelope, sender: NOBODY }, settle));
    };
    await submit('agent', proposal('p1'));
    const gate = createGate();
    disk.gate = gate.opened;
    const { writes } = disk;
    const first = submit('agent', chat('c1'));
    await until(() => disk.writes > writes);
    const rest = [
      submit('reviewer', fulfilment('f1', 'p1')),
      submit('tools', answer('a1', 'f1')),
      submit('agent', proposal('p2')),
      submit('reviewer', rejection('r2', 'p2')),
      // The same again, while the first is undecided.
      submit('reviewer', rejection('r2', 'p2')),
      submit('agent', chat('c2')),
    ];
    disk.faultFrom = disk.writes;
    disk.fault = { code: 'ENOSPC', share: 0.5 };
    // Only durable state is shown.
    expect(host.state.proposals.get('p1')?.phase).toBe('pending');
    expect(host.state.proposals.has('p2')).toBe(false);
    gate.open();
    expect((await first).status).toBe('accepted');
    for (const outcome of rest) {
      expect((await outcome).status).toBe('refused');
    }
    disk.fault = undefined;
    const { settings: _, ...live } = viewSpace(host.state);
    expect(canonicalJson(live)).toBe(await replayed(journal));
    // A refused message is as if it had never been sent.
    expect(await submit('reviewer', { ...chat('f1') })).toMatchObject({ status: 'accepted' });
    expect(await submit('agent', proposal('p2'))).toMatchObject({ status: 'accepted' });
    expect(await submit('reviewer', rejection('r2', 'p2'))).toMatchObject({ status: 'accepted' });
    const { settings: __, ...later } = viewSpace(host.state);
    expect(canonicalJson(later)).toBe(await replayed(journal));
    host.stop();
    await journal.close();
  });

  it('I-1: fails does not make a repeated message look accepted', async () => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const journal = await openJournal(folder.path, { disk });
    await using gateway = await startTestGateway('dev: true', journal);
    await using agent = await connectPeer(gateway.ws, 'agent');
    disk.faultFrom = disk.writes;
    disk.fault = { code: 'EIO', share: 0.5 };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(gateway.http, 'agent', proposal('p1'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 503));
    disk.fault = undefined;
    await agent.say(proposal('p1'));
  });

  it('O-19: fails during a decision does not stop the clock of a proposal', async () => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const journal = await openJournal(folder.path, { disk });
    await using gateway = await startTestGateway('dev: true', journal);
    await using tools = await connectPeer(gateway.ws, 'tools');
    await using agent = await connectPeer(gateway.ws, 'agent');
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    await agent.say(proposal('p1', { ttl: 1_500 }));
    disk.faultFrom = disk.writes;
    disk.fault = { code: 'ENOSPC', share: 0.5 };
    reviewer.send(fulfilment('f1', 'p1'));
    expect(await reviewer.error('f1')).toMatchObject({ error: 'unavailable' });
    disk.fault = undefined;
    const { payload } = await tools.next(({ kind }) => kind === 'system.notice');
    expect(payload).toMatchObject({ notice: 'expired', proposal: 'p1' });
  });

  it('O-19: is full when a proposal expires: it expires once there is room, once', async () => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const journal = await openJournal(folder.path, { disk });
    await using gateway = await startTestGateway('dev: true', journal);
    await using agent = await connectPeer(gateway.ws, 'agent');
    // The proposal is still written.
    const before = disk.writes + 1;
    disk.faultFrom = before;
    disk.fault = { code: 'ENOSPC', share: 0 };
    await agent.say(proposal('p1', { ttl: 50 }));
    await until(() => disk.writes > before);
    disk.fault = undefined;
    await agent.next(({ kind }) => kind === 'system.notice');
    await agent.say(chat('c1'));
    expect(agent.messages.filter(({ kind }) => kind === 'system.notice')).toHaveLength(1);
  });
});
