import { type Envelope, PROTOCOL } from '@proffer/core';
import { type JsonObject, textOf } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { createStreams, type Following } from '../delivery/index.js';
import { decodeMember } from './member.js';
import { createOwnMembers } from './own-members.js';

const sink = { write() {}, buffered: () => 0, drained: () => Promise.resolve(), end() {} };
const reading = { dialect: 'mew/v0.4', framing: 'websocket' } as const;
const OWNER: Following = {
  name: 'owner',
  routing: 'all',
  observer: false,
  sink,
  reading,
  mayStay: () => true,
};
const LISTENER: Following = { ...OWNER, name: 'listener' };

const message = (kind: string, payload: JsonObject): Envelope => ({
  protocol: PROTOCOL,
  id: kind,
  ts: '2026-01-01T00:00:00.000Z',
  from: 'owner',
  to: [],
  kind,
  payload,
});

/** An owner's gateway, and one that learns of its open stream from a listing after four frames. */
function startTwoGateways() {
  const seen: string[] = [];
  let isLosing = false;
  let listen: (said: JsonObject) => void = () => {};
  let report: (member: JsonObject) => void = () => {};
  const own = createOwnMembers((_, { member, members } = {}) => {
    const reported = member === undefined ? (members ?? []) : [member];
    for (const one of reported as JsonObject[]) report(one);
  });
  const members = own.in('main');
  const common = {
    settings: { visibility: 'all' },
    clock: () => 0,
    presence: { isConnected: () => true },
  } as const;
  const here = createStreams({
    ...common,
    fanOut: { relay: () => {}, connectionsOf: () => [] },
    peers: {
      ...members,
      channel: () => (said) => {
        if (!isLosing) listen(said);
        return true;
      },
    },
  });
  const there = createStreams({
    ...common,
    fanOut: {
      connectionsOf: () => [],
      relay: (frame, gets) => {
        if (frame.includes('"stream/request"')) return;
        const [, data, told = ''] = /#.*#(.*)|("kind":"stream.*)/u.exec(frame.toString()) ?? [];
        const [, reason = 'open'] = /"reason":"(.*?)"/u.exec(told) ?? [];
        if (gets(LISTENER)) seen.push(data ?? reason);
      },
    },
    peers: {
      streams: () => {},
      channel: (_, hear) => {
        listen = hear;
        return () => true;
      },
    },
  });
  const openId = () => textOf(here.seenBy(OWNER)[0]?.['stream_id']);
  const send = (data: string) => here.relay(Buffer.from(`#${openId()}#${data}`), false, OWNER);

  members.entered('owner', undefined);
  here.take(message('stream.request', { direction: 'upload' }), OWNER);
  for (const data of ['1', '2', '3', '4']) send(data);
  const remote = there.elsewhere();
  report = (member) => remote.update(decodeMember(member)?.streams ?? []);
  own.nameAll();
  return {
    seen,
    send,
    lose: (action: () => void) => {
      isLosing = true;
      action();
      isLosing = false;
    },
    list: () => own.nameAll(),
    close: () => here.take(message('stream.close', { stream_id: openId(), reason: 'done' }), OWNER),
  };
}

it('O-27: a stream learned of from a listing is complete if everything after that arrived', () => {
  const { seen, send, list, close } = startTwoGateways();
  send('5');
  list();
  close();
  expect(seen).toEqual(['open', '5', 'done']);
});

it('O-27: a stream learned of from a listing is interrupted if the first frame after that was lost', () => {
  const { seen, send, lose } = startTwoGateways();
  lose(() => send('5'));
  send('6');
  expect(seen).toEqual(['open', 'interrupted', 'open', '6']);
});

it('O-27: a stream learned of from a listing is interrupted if the only frame after that was lost', () => {
  const { seen, send, lose, close } = startTwoGateways();
  lose(() => send('5'));
  close();
  expect(seen).toEqual(['open', 'interrupted']);
});

it('O-27: a later listing shows that a frame was lost', () => {
  const { seen, send, lose, list } = startTwoGateways();
  lose(() => send('5'));
  list();
  expect(seen).toEqual(['open', 'interrupted', 'open']);
});
