import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { until } from '../metrics.js';
import { type joinAs, ofKind } from '../peers/mew-client.js';
import type { Place, PlacesOptions, Venue } from '../places.js';

type Client = Awaited<ReturnType<typeof joinAs>>;

/** The configuration for mew streams. */
export const STREAMS = {
  spaces: { addressed: '{ visibility: addressed }' },
  masters: ['owner', 'friend', 'other'],
} satisfies PlacesOptions;

/** Opens a stream. @returns the id in `stream/open` */
export async function openStream(client: Client, id: string, more: JsonObject = {}): Promise<string> {
  client.send({ id, kind: 'stream/request', to: ['gateway'], payload: { direction: 'upload', ...more } });
  const isAbout = ({ correlation_id: ids }: JsonObject) => Array.isArray(ids) && ids.includes(id);
  const { payload } = await client.next((message) => ofKind('stream/open')(message) && isAbout(message));
  const name = isJsonObject(payload) ? payload['stream_id'] : undefined;
  return typeof name === 'string' ? name : '';
}

export const refusedWith = (code: string) => (message: JsonObject) =>
  ofKind('system/error')(message) && isJsonObject(message['payload']) && message['payload']['error'] === code;

/** Joins, and resolves when everyone else is visible to it too. */
async function enter(place: Place, name: string, others: readonly string[] = []): Promise<Client> {
  const client = await place.join(name);
  await client.next(ofKind('system/welcome'));
  for (const other of others) await until(() => isPresent(place, other));
  return client;
}

async function isPresent(place: Place, name: string): Promise<boolean> {
  await using guest = await place.connect('guest');
  const { payload } = await guest.next(({ kind }) => kind === 'system.welcome');
  return (payload['participants'] as readonly { readonly id: string }[]).some(({ id }) => id === name);
}

/** mew streams, wherever the participants are connected. */
export function describeStreams(name: string, { take }: Venue): void {
  describe(`mew streams, on ${name}`, () => {
    it('O-27: reach the others while they are open, and newcomers learn of them', async () => {
      const [here, there, elsewhere] = take();
      await using owner = await enter(here, 'owner');
      await using friend = await enter(there, 'friend', ['owner']);
      const described = { description: 'thoughts', custom: { a: 1 } };
      const id = await openStream(owner, 'owner-1', described);
      expect(await friend.next(ofKind('stream/open'))).toMatchObject({
        payload: { stream_id: id, owner: 'owner' },
      });
      owner.raw(`#${id}#one # two`);
      expect(await friend.nextFrame(() => true)).toBe(`#${id}#one # two`);
      owner.raw(Buffer.from(`#${id}#bytes`));
      await friend.nextFrame((frame) => frame.endsWith('bytes'));
      // Its own frames come back: they were forwarded.
      await owner.nextFrame((frame) => frame.endsWith('bytes'));
      expect(owner.frames).toEqual([`#${id}#one # two`, `#${id}#bytes`]);
      expect(await friend.next(ofKind('stream/request'))).toMatchObject({
        from: 'owner',
        payload: { description: 'thoughts' },
      });

      await using late = await enter(elsewhere, 'other');
      expect(await late.next(ofKind('system/welcome'))).toMatchObject({
        payload: {
          active_streams: [
            { stream_id: id, owner: 'owner', direction: 'upload', created: expect.any(String), ...described },
          ],
        },
      });

      owner.send({ id: 'owner-2', kind: 'stream/close', payload: { stream_id: id, reason: 'done' } });
      for (const client of [friend, late])
        expect(await client.next(ofKind('stream/close'))).toMatchObject({
          payload: { stream_id: id, reason: 'done' },
        });
      owner.raw(`#${id}#too late`);
      await owner.next(refusedWith('stream_not_found'));
      const { body } = await there.ask('/feed?after=0', 'owner');
      expect(body['messages']).toEqual([]);
    });

    it('I-4: are written and closed by their owner, and end with its connection', async () => {
      const [here, there, elsewhere] = take();
      await using friend = await enter(there, 'friend');
      const owner = await enter(here, 'owner', ['friend']);
      const id = await openStream(owner, 'owner-1');
      await friend.next(ofKind('stream/open'));
      friend.raw(`#${id}#forged`);
      await friend.next(refusedWith('unauthorized_stream_write'));
      friend.send({ id: 'friend-1', kind: 'stream/close', payload: { stream_id: id } });
      await friend.next(
        (message) => refusedWith('not_stream_owner')(message) && message['correlation_id'] !== undefined,
      );
      // The same participant, on another connection.
      await using again = await enter(elsewhere, 'owner');
      again.raw(`#${id}#also mine`);
      await friend.nextFrame((frame) => frame.endsWith('also mine'));
      const second = await openStream(owner, 'owner-2');
      await again.next((message) => JSON.stringify(message['payload']).includes(second));
      again.send({ id: 'owner-3', kind: 'stream/close', payload: { stream_id: second } });
      const isAbout = (stream: string) => (message: JsonObject) =>
        ofKind('stream/close')(message) && JSON.stringify(message['payload']).includes(stream);
      expect(await friend.next(isAbout(second))).toMatchObject({ payload: { reason: 'complete' } });
      await owner[Symbol.asyncDispose]();
      expect(await friend.next(isAbout(id))).toMatchObject({ payload: { reason: 'owner_left' } });
      expect(friend.frames).toEqual([`#${id}#also mine`]);
    });

    it('I-4: are written by those whom their owner lets write, and taken over by whom it names', async () => {
      const [here, there, elsewhere] = take();
      await using friend = await enter(there, 'friend');
      await using other = await enter(elsewhere, 'other', ['friend']);
      const owner = await enter(here, 'owner', ['friend', 'other']);
      const id = await openStream(owner, 'owner-1');
      const refusal = (message: string, code: string) => (found: JsonObject) =>
        refusedWith(code)(found) && JSON.stringify(found['correlation_id']).includes(message);
      let count = 0;
      const ask = (client: Client, kind: string, more: JsonObject): string => {
        const message = `ask-${id}-${++count}`;
        client.send({ id: message, kind: `stream/${kind}`, payload: { stream_id: id, ...more } });
        return message;
      };
      await friend.next(ofKind('stream/open'));
      await other.next(ofKind('stream/open'));
      // Nobody but the owner.
      for (const [kind, more] of [
        ['grant-write', { participant_id: 'friend' }],
        ['revoke-write', { participant_id: 'owner' }],
        ['transfer-ownership', { new_owner: 'friend' }],
      ] as const)
        await friend.next(refusal(ask(friend, kind, more), 'not_stream_owner'));
      await owner.next(
        refusal(ask(owner, 'grant-write', { participant_id: 'nobody' }), 'participant_not_found'),
      );
      await owner.next(refusal(ask(owner, 'revoke-write', { participant_id: 'owner' }), 'invalid_field'));
      await owner.next(refusal(ask(owner, 'transfer-ownership', {}), 'invalid_field'));

      const granted = ask(owner, 'grant-write', { participant_id: 'friend', reason: 'your turn' });
      for (const client of [owner, friend, other])
        expect(await client.next(ofKind('stream/write-granted'))).toMatchObject({
          from: 'system:gateway',
          correlation_id: [granted],
          payload: { stream_id: id, participant_id: 'friend', authorized_writers: ['owner', 'friend'] },
        });
      friend.raw(`#${id}#by friend`);
      await other.nextFrame((frame) => frame.endsWith('by friend'));
      // Writing is not owning.
      await friend.next(refusal(ask(friend, 'close', {}), 'not_stream_owner'));
      await friend.next(refusal(ask(friend, 'grant-write', { participant_id: 'other' }), 'not_stream_owner'));

      ask(owner, 'revoke-write', { participant_id: 'friend' });
      await friend.next(ofKind('stream/write-revoked'));
      friend.raw(`#${id}#revoked`);
      await friend.next(refusedWith('unauthorized_stream_write'));

      ask(owner, 'transfer-ownership', { new_owner: 'friend' });
      for (const client of [owner, friend, other])
        expect(await client.next(ofKind('stream/ownership-transferred'))).toMatchObject({
          payload: { previous_owner: 'owner', new_owner: 'friend', authorized_writers: ['friend'] },
        });
      owner.raw(`#${id}#not mine any more`);
      await owner.next(refusedWith('unauthorized_stream_write'));
      await owner.next(refusal(ask(owner, 'transfer-ownership', { new_owner: 'owner' }), 'not_stream_owner'));
      friend.raw(`#${id}#mine now`);
      await other.nextFrame((frame) => frame.endsWith('mine now'));
      ask(friend, 'close', { reason: 'done' });
      expect(await other.next(ofKind('stream/close'))).toMatchObject({
        payload: { stream_id: id, reason: 'done' },
      });
      expect(other.frames).toEqual([`#${id}#by friend`, `#${id}#mine now`]);
      await owner[Symbol.asyncDispose]();
    });

    it('O-21: with a target reach nobody else, and are unknown to others if messages are private', async () => {
      const [here, there, elsewhere] = take('addressed');
      await using owner = await enter(here, 'owner');
      await using friend = await enter(there, 'friend', ['owner']);
      await using other = await enter(elsewhere, 'other', ['owner', 'friend']);
      await until(async () => (await isPresent(here, 'friend')) && (await isPresent(here, 'other')));
      const secret = await openStream(owner, 'owner-1', { target: ['friend'] });
      const open = await openStream(owner, 'owner-2');
      owner.raw(`#${secret}#secret`);
      owner.raw(`#${open}#open`);
      expect(await friend.nextFrame(() => true)).toContain('secret');
      expect(await other.nextFrame(() => true)).toContain('open');
      expect(await other.next(ofKind('stream/open'))).toMatchObject({ payload: { stream_id: open } });
      const payload = { direction: 'upload', target: ['nobody'] };
      owner.send({ id: 'owner-3', kind: 'stream/request', payload });
      await owner.next(refusedWith('target_not_found'));
    });
  });
}
