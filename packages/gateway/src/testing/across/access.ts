import { describe, expect, it } from 'vitest';
import { loopbackConfig } from '../../loopback.js';
import { createToken } from '../../token.js';
import { chat } from '../messages.js';
import { startOnNats } from '../on-nats.js';
import { readEvents } from '../peers/event-reader.js';
import { ask, post } from '../peers/http.js';
import { connectPeer, refusedPeer } from '../peers/peer.js';
import type { NatsVenue } from '../places.js';

const ANN = createToken();
const BOB = createToken();
const configOf = (...tokens: readonly (typeof ANN)[]): string => {
  const of = (name: string, { hash }: typeof ANN) =>
    `  ${name}: { spaces: { main: ["*"] }, tokens: [${tokens.some((one) => one.hash === hash) ? `"${hash}"` : ''}] }`;
  return ['participants:', of('ann', ANN), of('bob', BOB)].join('\n');
};
const BOTH = configOf(ANN, BOB);

/** Access and rate limits at gateways that know of each other. */
export function describeAccess(name: string, { start, newPlace }: NatsVenue): void {
  describe(`access, on ${name}`, () => {
    it('I-4: a token revoked at one gateway is refused at all, and its connections end', async () => {
      await using own = await start(BOTH);
      const [here, there, elsewhere] = own.gateways;
      await using bob = await connectPeer(there.ws, BOB.token);
      await using follower = await readEvents(`${elsewhere.http}/macp/sessions`, BOB.token);
      await using ann = await connectPeer(there.ws, ANN.token);
      here.gateway.reload(loopbackConfig(configOf(ANN)));
      expect(await bob.closed).toBe(4401);
      while ((await follower.next()) !== undefined);
      for (const { http, ws } of own.gateways) {
        expect((await post(http, BOB.token, chat('c1'))).status).toBe(401);
        expect((await refusedPeer(ws, BOB.token)).status).toBe(401);
      }
      await ann.say(chat('c2'));
      // A gateway that was left out and reloads for another reason does not let it in again; the one that
      // revoked it does.
      there.gateway.reload(loopbackConfig(BOTH));
      expect((await post(there.http, BOB.token, chat('c3'))).status).toBe(401);
      here.gateway.reload(loopbackConfig(BOTH));
      for (const { http } of own.gateways)
        await expect.poll(async () => (await post(http, BOB.token, chat('c4'))).status).toBe(200);
    });

    it('I-4: a gateway that starts later with an old configuration refuses what was revoked before', async () => {
      const place = newPlace();
      await using first = await startOnNats(place, { yaml: BOTH });
      first.gateway.reload(loopbackConfig(configOf(ANN)));
      await using second = await startOnNats(place, { yaml: configOf(ANN) });
      // Its start has read everything written before; what the reload wrote may come a moment later.
      await using third = await startOnNats(place, { yaml: BOTH });
      await expect.poll(async () => (await post(third.http, BOB.token, chat('c1'))).status).toBe(401);
      expect((await post(second.http, ANN.token, chat('c2'))).status).toBe(200);
    });

    it('I-7, N-3: a participant may do as much at all gateways together as at one, within a tenth', async () => {
      let now = Date.now();
      await using own = await start('dev: true\nlimits: { messages_per_participant: 100/s }', () => now);
      for (let second = 0; second < 2; second++) {
        let taken = 0;
        for (let sent = 0; sent < 150; sent += 3) {
          const answers = await Promise.all(own.gateways.map(({ http }) => ask(`${http}/whoami`, 'agent')));
          taken += answers.filter(({ status }) => status === 200).length;
        }
        expect(taken).toBeGreaterThanOrEqual(90);
        expect(taken).toBeLessThanOrEqual(110);
        now += 1_000;
      }
    });
  });
}
