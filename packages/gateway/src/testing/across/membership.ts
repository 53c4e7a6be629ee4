import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { chat } from '../messages.js';
import { until } from '../metrics.js';
import type { Answer } from '../peers/http.js';
import type { Venue } from '../places.js';

export const invite = (id: string, more: JsonObject = {}) => ({
  id,
  kind: 'mcpx.invite.participant',
  payload: { participant: 'guest', capabilities: ['chat.message'], ...more },
});
export const kick = (id: string, participant = 'guest') => ({
  id,
  kind: 'mcpx.kick.participant',
  payload: { participant, reason: 'it asked too much' },
});

/** The token that only the inviter gets. */
export const tokenIn = ({ body }: Answer) => (body['invitation'] as { readonly token: string }).token;

/** Who is let in, at any gateway. */
export function describeMembership(name: string, { take }: Venue): void {
  describe(`members on ${name}`, () => {
    it('O-51, O-52: an invitation is valid at every gateway at once, and a kick ends it at all of them', async () => {
      const [here, there, elsewhere] = take();
      const first = tokenIn(await here.post('reviewer', invite('i1')));
      await using guest = await there.connect(first);
      await guest.say(chat('c1'));
      expect(await elsewhere.post('reviewer', invite('i2'))).toMatchObject({
        status: 409,
        code: 'already_exists',
      });
      expect(await elsewhere.post('reviewer', kick('k1'))).toMatchObject({ status: 200 });
      expect(await guest.closed).toBe(4403);
      for (const place of [here, there, elsewhere]) {
        await until(async () => (await place.post(first, chat('c2'))).status === 401);
      }
      const second = tokenIn(await there.post('reviewer', invite('i3')));
      expect(await elsewhere.post(second, chat('c3'))).toMatchObject({ status: 200 });
      expect(await here.post(first, chat('c4'))).toMatchObject({ status: 401 });
    });

    it('O-52: a participant of the configuration stays out of all gateways until it is invited again', async () => {
      const [here, there] = take();
      await using agent = await here.connect('agent');
      await there.post('reviewer', kick('k1', 'agent'));
      expect(await agent.closed).toBe(4403);
      expect(await there.post('agent', chat('c1'))).toMatchObject({ status: 403, code: 'kicked' });
      const again = await there.post('reviewer', {
        id: 'i1',
        kind: 'mcpx.invite.participant',
        payload: { participant: 'agent' },
      });
      expect(again).toMatchObject({ status: 200 });
      expect(again.body).not.toHaveProperty('invitation');
      await until(async () => (await here.post('agent', chat('c2'))).status === 200);
    });

    it('O-54: a participant paused at one gateway says nothing new at any, until it is resumed at another', async () => {
      const [here, there, elsewhere] = take();
      const tell = (id: string, kind: string) => ({ id, kind, to: ['agent'], payload: {} });
      await here.post('agent', chat('c1'));
      expect(await there.post('reviewer', tell('x1', 'participant.pause'))).toMatchObject({ status: 200 });
      for (const [index, place] of [here, there, elsewhere].entries())
        await until(async () => (await place.post('agent', chat(`p${index}`))).code === 'paused');
      expect(await elsewhere.post('reviewer', tell('x2', 'participant.resume'))).toMatchObject({
        status: 200,
      });
      for (const [index, place] of [here, there, elsewhere].entries())
        await until(async () => (await place.post('agent', chat(`r${index}`))).status === 200);
    });
  });
}
