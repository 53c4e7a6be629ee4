import { textOf } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { checkOperations } from '../kill/check-operations.js';
import { checkSessions } from '../kill/check-sessions.js';
import { startChild } from '../kill/child.js';
import { type StartFleet, startFleet } from '../kill/fleet.js';
import { killWhileGrantIsUsed } from '../kill/grant-harness.js';
import { killAgainAndAgain } from '../kill/kill-harness.js';
import { killDuringSessions } from '../kill/session-kill-harness.js';
import { signing } from '../kill/signed-fleet.js';
import { openTable } from '../macp.js';
import { answer, chat, fulfilment, proposal } from '../messages.js';
import { until } from '../metrics.js';
import { startOnNats } from '../on-nats.js';
import { ask, post } from '../peers/http.js';
import { joinAs, ofKind, rootOf } from '../peers/mew-client.js';
import { connectPeer, type Message } from '../peers/peer.js';
import type { NatsVenue } from '../places.js';
import { openStream } from './streams.js';

const YAML = `dev: true
participants: { ann: { spaces: { main: ["*"] } } }
spaces:
  main:
    review:
      - { call: mcp.request.tools/call:write_file, from: [ann], escalate: [{ after: 1s, to: [reviewer] }] }
`;

const joinMew = (http: string, name: string) =>
  joinAs(rootOf(http), { type: 'join', space: 'main', token: name, participantId: name });

/** How often gateways are killed in the long run. */
const KILLS = 30;
const SEED = Number(process.env['PROFFER_SEED']);

/** Killed gateways on a shared journal. */
export function describeKilled(name: string, { newPlace }: NatsVenue): void {
  describe(`killed gateways, on ${name}`, () => {
    it('O-19, O-23, O-27, O-33, N-5, I-2: what one had accepted falls due once at the others', async () => {
      const place = newPlace();
      await using there = await startOnNats(place, { yaml: YAML });
      await using elsewhere = await startOnNats(place, { yaml: YAML });
      const killed = await startChild({ journal: place, yaml: YAML });
      await using ann = await connectPeer(there.ws, 'ann');
      await using follower = await connectPeer(elsewhere.ws, 'reviewer');
      const tools = await connectPeer(killed.ws, 'tools');
      await using listener = await joinMew(there.http, 'reviewer');
      const owner = await joinMew(killed.http, 'ann');
      const stream = await openStream(owner, 'ann-1');
      await listener.next(ofKind('stream/open'));
      await tools.say({
        id: 'n1',
        kind: 'mcpx.announce.tools',
        payload: { tools: [{ name: 'write_file' }] },
      });
      await post(killed.http, 'agent', proposal('runs'));
      await ann.next(({ id }) => id === 'runs');
      await ann.say(fulfilment('f1', 'runs'));
      await tools.next(({ id }) => id === 'f1');
      for (let count = 0; count < 5; count++) {
        await post(killed.http, 'agent', proposal(`expires-${count}`, { ttl: 900 }));
        await post(killed.http, 'agent', proposal(`escalates-${count}`));
      }
      const table = openTable(killed.http);
      await table.start('buyer', { ttl_ms: 900 });
      await killed.kill();
      const noticed = (notice: string) => (message: Message) =>
        message.kind === 'system.notice' && message.payload['notice'] === notice;
      const about = (notice: string) =>
        follower.messages.filter(noticed(notice)).map(({ correlationId }) => String(correlationId));
      await until(() => about('expired').length >= 5 && about('escalated').length >= 5);
      await follower.next(noticed('outcome_unknown'));
      await listener.next(ofKind('stream/close'));
      const left = openTable(there.http, table.id);
      await until(async () => (await left.state('buyer')) === 'EXPIRED');
      // The executor reconnects elsewhere, and knows how it ended.
      await using back = await connectPeer(there.ws, 'tools');
      await back.say(answer('a1', 'f1'));
      await ann.say(chat('last'));
      await follower.next(({ id }) => id === 'last');
      const five = (what: string) => Array.from({ length: 5 }, (_, count) => `${what}-${count}`);
      expect(about('expired').sort()).toEqual(five('expires'));
      expect(about('escalated').sort()).toEqual(five('escalates'));
      expect(about('outcome_unknown')).toEqual(['runs']);
      const streams = listener.heard.filter(({ kind }) => textOf(kind).startsWith('stream/'));
      expect(streams).toMatchObject([
        { kind: 'stream/request', from: 'ann' },
        { kind: 'stream/open', payload: { stream_id: stream } },
        { kind: 'stream/close', payload: { stream_id: stream, reason: 'owner_left' } },
      ]);
      const { body } = await ask(`${elsewhere.http}/spaces/main/proposals/runs`, 'agent');
      expect(body).toMatchObject({ proposal: { phase: 'settled', outcome: { result: 'ok' } } });
    });

    // In the short run the nemesis covers this with fewer kills, plus servers and the network.
    if (process.env['PROFFER_LONG'] === undefined) return;
    const startThree: StartFleet = (yaml) => startFleet(newPlace(), 3, yaml);

    it(`I-1, I-2, I-6, I-11, O-12, O-22: killed ${KILLS} times under load, they lose nothing, repeat nothing and run nothing twice (PROFFER_SEED=${SEED})`, async () => {
      const problems: unknown[] = [];
      const signingThree = signing(startThree, (problem) => problems.push(problem));
      const { history, faults } = await killAgainAndAgain(KILLS, SEED, signingThree);
      expect([faults, checkOperations(history), problems]).toEqual([[], [], []]);
      const count = (type: string) => history.records.filter((record) => record.type === type).length;
      expect(count('answered')).toBe(count('fulfilled'));
    });

    it(`I-1, I-2, I-6, N-6: killed ${KILLS} times, sessions lose nothing, repeat nothing and have one outcome each (PROFFER_SEED=${SEED})`, async () => {
      const { history, faults } = await killDuringSessions(KILLS, SEED, startThree);
      expect([faults, checkSessions(history)]).toEqual([[], []]);
      expect(history.sessions.length).toBeGreaterThan(0);
    });

    it('O-41, I-1: killed while a grant is used, they waste uses at most, and add none', async () => {
      await killWhileGrantIsUsed(3, startThree);
    });
  });
}
