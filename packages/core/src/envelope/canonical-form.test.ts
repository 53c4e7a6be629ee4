import { describe, expect, it } from 'vitest';
import { GATEWAY } from './envelope.js';
import { accepted, message, proposal, refused } from './testing/reading.js';

const chat = (fields = {}) => message('chat.message', { text: 'hello' }, fields);
const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`);

describe('the canonical form', () => {
  it('O-1: a complete message is read unchanged', () => {
    const whole = proposal({ ttl: 5000 }, { to: ['reviewer'], correlationId: 'earlier', context: 'a/b' });
    expect(accepted(whole)).toStrictEqual(whole);
  });

  it('O-1: protocol, id, ts and from are filled in', () => {
    const bare = { kind: 'chat.message', payload: { text: 'hello' } };
    expect(accepted(bare, { fallbackId: 'made-up' })).toStrictEqual({
      protocol: 'mcpx/v0.1',
      id: 'made-up',
      ts: '2025-08-30T12:00:00.000Z',
      from: 'agent',
      ...bare,
    });
  });

  it('O-1, O-4: unknown top-level fields are dropped, including seq and near misses', () => {
    const strange = {
      seq: 7,
      extra: { deep: [1] },
      sender: 'eve',
      From: 'eve',
      constructor: 'x',
      toString: 1,
    };
    expect(accepted(chat(strange))).toStrictEqual(chat());
  });

  it('O-1: unknown payload fields are kept', () => {
    const payload = { text: 'hello', mood: { level: 3 }, from: 'eve' };
    expect(accepted(message('chat.message', payload)).payload).toStrictEqual(payload);
  });

  it('O-1: an empty `to` stays empty, an absent one absent', () => {
    expect(accepted(chat({ to: [] })).to).toStrictEqual([]);
    expect(accepted(chat())).not.toHaveProperty('to');
  });

  it('O-1: a correlation id stays alone or in an array, as sent', () => {
    expect(accepted(chat({ correlationId: 'a' })).correlationId).toBe('a');
    expect(accepted(chat({ correlationId: ['a'] })).correlationId).toStrictEqual(['a']);
    expect(accepted(chat({ correlationId: ['a', 'b'] })).correlationId).toStrictEqual(['a', 'b']);
  });

  it('O-1: a thousand addressees and a thousand correlation ids are allowed', () => {
    expect(accepted(chat({ to: names(1000), correlationId: names(1000) })).to).toHaveLength(1000);
  });

  it('O-1: a request with correlation_id keeps its link to the proposal', () => {
    expect(accepted(chat({ correlation_id: 'prop-1' })).correlationId).toBe('prop-1');
    expect(accepted(chat({ correlation_id: 'other', correlationId: 'prop-1' })).correlationId).toBe('prop-1');
  });
});

describe('the sender', () => {
  it('O-2: a different `from` is refused, naming the authenticated name', () => {
    expect(refused(chat({ from: 'eve' }))).toStrictEqual({
      code: 'sender_mismatch',
      field: 'from',
      found: '"eve"',
      expected: '"agent", the name you are connected as',
      message:
        'from is "eve"; expected "agent", the name you are connected as. ' +
        'Leave `from` out, or set it to the name you are connected as.',
    });
  });

  it('O-2: a `from` that differs only in case or invisibly is a different one', () => {
    expect(refused(chat({ from: 'Agent' })).code).toBe('sender_mismatch');
    expect(refused(chat({ from: 'agent\u{200b}' }))).toMatchObject({
      code: 'sender_mismatch',
      found: '"agent\\u{200b}"',
    });
  });

  it.each([null, 5, ['agent'], {}])('O-2, O-5: `from` %j is refused', (from) => {
    expect(refused(chat({ from }))).toMatchObject({ code: 'invalid_field', field: 'from' });
  });

  it('O-2: the sender is checked first', () => {
    expect(refused({ from: 'eve', kind: 5 }).code).toBe('sender_mismatch');
  });
});

describe('a field of the frame', () => {
  it.each([
    ['id', undefined, 'missing_field', 'id'],
    ['payload', undefined, 'missing_field', 'payload'],
    ['kind', undefined, 'missing_field', 'kind'],
    ['protocol', 'mcpx/v0.2', 'invalid_field', 'protocol'],
    ['protocol', null, 'invalid_field', 'protocol'],
    ['protocol', '', 'invalid_field', 'protocol'],
    ['id', null, 'invalid_field', 'id'],
    ['id', '', 'invalid_field', 'id'],
    ['id', 'a b', 'invalid_field', 'id'],
    ['id', 12, 'invalid_field', 'id'],
    ['id', '__proto__', 'invalid_field', 'id'],
    ['id', 'cafe\u{301}', 'invalid_field', 'id'],
    ['ts', null, 'invalid_field', 'ts'],
    ['ts', 1_700_000_000_000, 'invalid_field', 'ts'],
    ['ts', '2026-02-30T00:00:00Z', 'invalid_field', 'ts'],
    ['to', null, 'invalid_field', 'to'],
    ['to', 'reviewer', 'invalid_field', 'to'],
    ['to', { 0: 'reviewer' }, 'invalid_field', 'to'],
    ['to', ['reviewer', 5], 'invalid_field', 'to[1]'],
    ['to', ['reviewer', ''], 'invalid_field', 'to[1]'],
    ['to', ['a', 'b', 'a'], 'invalid_field', 'to[2]'],
    ['to', ['__proto__'], 'invalid_field', 'to[0]'],
    ['correlationId', null, 'invalid_field', 'correlationId'],
    ['correlationId', '', 'invalid_field', 'correlationId'],
    ['correlationId', [], 'invalid_field', 'correlationId'],
    ['correlationId', ['a', 'a'], 'invalid_field', 'correlationId[1]'],
    ['correlationId', ['a', null], 'invalid_field', 'correlationId[1]'],
    ['context', 5, 'invalid_field', 'context'],
    ['payload', null, 'invalid_field', 'payload'],
    ['payload', [], 'invalid_field', 'payload'],
    ['payload', 'text', 'invalid_field', 'payload'],
    ['kind', null, 'invalid_field', 'kind'],
    ['kind', 5, 'invalid_field', 'kind'],
  ])('O-5: %s = %j is refused with %s at %s', (field, value, code, at) => {
    expect(refused(chat({ [field]: value }))).toMatchObject({ code, field: at });
  });

  it.each(['system:0f3a', 'System:0f3a', 'SYSTEM:'])('O-3: the id %s is reserved for the gateway', (id) => {
    expect(refused(chat({ id }))).toMatchObject({ code: 'invalid_field', field: 'id' });
    expect(refused(chat({ id })).expected).toContain('does not start with system:');
    expect(refused({ ...chat({ id }), protocol: 'mew/v0.4' })).toMatchObject({ field: 'id' });
    expect(accepted(chat({ id, from: GATEWAY }), { from: GATEWAY }).id).toBe(id);
    const { id: _, ...bare } = chat();
    expect(accepted(bare, { fallbackId: id }).id).toBe(id);
    expect(refused(chat({ id }), { fallbackId: `${id}1` }).field).toBe('id');
  });

  it("O-3: the gateway's messages can be answered by id, and an id may contain system", () => {
    expect(accepted(chat({ correlationId: 'system:0f3a' })).correlationId).toBe('system:0f3a');
    for (const id of ['systems:1', 'my:system:1', 'system']) expect(accepted(chat({ id })).id).toBe(id);
  });

  it('O-5: more than a thousand addressees or correlation ids are too many', () => {
    expect(refused(chat({ to: names(1001) }))).toMatchObject({ code: 'invalid_field', field: 'to' });
    expect(refused(chat({ correlationId: names(1001) })).field).toBe('correlationId');
  });

  it('O-1, O-5: a context has at most 512 characters', () => {
    expect(accepted(chat({ context: '🐈'.repeat(512) })).context).toHaveLength(1024);
    expect(refused(chat({ context: 'x'.repeat(513) })).field).toBe('context');
  });

  it('O-5: the refusal shows what was found, shortened, and what was expected', () => {
    const found = `"${'x'.repeat(60)}… (5000 characters)"`;
    const expected = '1 to 128 visible characters in Unicode form NFC, other than __proto__';
    expect(refused(chat({ id: 'x'.repeat(5000) }))).toStrictEqual({
      code: 'invalid_field',
      field: 'id',
      found,
      expected,
      message: `id is ${found}; expected ${expected}. Correct it and try again.`,
    });
  });
});
