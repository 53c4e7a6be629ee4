import { RUNTIME_SERVICE } from '@proffer/wire';
import { expect, it } from 'vitest';
import { createStreamCounter, isAccepted } from './answers.js';
import { remark } from './stock.js';

const PREFIX = 5;
const ack = {
  duplicate: false,
  message_id: 'm'.repeat(100),
  session_id: 's'.repeat(100),
  accepted_at_unix_ms: 1,
  session_state: 'OPEN',
} as const;

it('tells accepting Acks from others', () => {
  const { response } = RUNTIME_SERVICE.send;
  expect(isAccepted(response.write({ ack: { ...ack, ok: true } }, PREFIX))).toBe(true);
  expect(isAccepted(response.write({ ack: { ...ack, ok: false } }, PREFIX))).toBe(false);
  expect(isAccepted(Buffer.alloc(PREFIX))).toBe(false);
});

it('counts the messages of a stream however it is split, and throws on a refusal', () => {
  const messages = Buffer.concat([0, 1, 2, 3, 4].map((number) => remark('session', number).bytes));
  for (const size of [1, 2, 5, 6, 7, 64, messages.length]) {
    const counter = createStreamCounter();
    let count = 0;
    for (let at = 0; at < messages.length; at += size)
      count += counter.push(messages.subarray(at, at + size));
    expect(count).toBe(5);
  }
  const error = { code: 'SESSION_NOT_FOUND', message: 'gone', session_id: '', message_id: '', details: {} };
  const refused = RUNTIME_SERVICE.streamSession.response.write({ error }, PREFIX);
  refused.writeUInt32BE(refused.length - PREFIX, 1);
  expect(() => createStreamCounter().push(refused)).toThrow('SESSION_NOT_FOUND');
});
