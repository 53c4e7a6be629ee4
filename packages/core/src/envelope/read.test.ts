import { describe, expect, it } from 'vitest';
import { readMessage, readObject } from './read.js';
import { message, proposal, SENDING } from './testing/reading.js';

const good = proposal();
const text = JSON.stringify(good);
const mutate = (from: string, to: string) => text.replace(from, to);

describe('reading text', () => {
  it('O-1: gives the envelope and the dialect to answer in', () => {
    const reading = readMessage(text, SENDING);
    if (!reading.ok) throw new Error(reading.refusal.message);
    expect({ ...reading.value.envelope }).toStrictEqual(good);
    expect(reading.value.dialect).toBe('mcpx');
  });

  it.each([
    ['nothing', '', 'invalid_json'],
    ['half a message', text.slice(0, 40), 'invalid_json'],
    ['two messages', text + text, 'invalid_json'],
    ['NaN', mutate('"/tmp/a"', 'NaN'), 'invalid_json'],
    ['an array', `[${text}]`, 'invalid_json'],
    ['a string', '"hello"', 'invalid_json'],
    ['null', 'null', 'invalid_json'],
    ['a number', '1', 'invalid_json'],
    ['a number that overflows', mutate('"/tmp/a"', '1e400'), 'invalid_field'],
    ['a key for the prototype', mutate('"arguments"', '"__proto__"'), 'forbidden_key'],
    [
      'a key for the prototype at the top',
      mutate('"protocol"', '"__proto__":{"from":"eve"},"protocol"'),
      'forbidden_key',
    ],
    ['a key twice', mutate('"from":"agent"', '"from":"agent","from":"eve"'), 'duplicate_key'],
    [
      'a key twice, once escaped',
      mutate('"from":"agent"', '"from":"agent","fr\\u006fm":"eve"'),
      'duplicate_key',
    ],
    ['half a surrogate pair', mutate('/tmp/a', '\\ud83d'), 'invalid_field'],
    ['half a surrogate pair in the id', mutate('m-1', '\\udc00'), 'invalid_field'],
    ['ten million characters', mutate('/tmp/a', 'x'.repeat(10_000_000)), 'too_large'],
    ['65 levels', mutate('"/tmp/a"', `${'['.repeat(65)}${']'.repeat(65)}`), 'too_deep'],
    ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000), 'too_deep'],
    ['100,000 objects in one another', '{"a":'.repeat(100_000), 'too_deep'],
  ])('O-5: %s is refused', (_, input, code) => {
    expect(readMessage(input, SENDING)).toMatchObject({ ok: false, refusal: { code } });
  });

  it.each([
    ['half a surrogate pair', mutate('/tmp/a', '\\ud83d')],
    ['a key twice', mutate('"from":"agent"', '"from":"agent","from":"eve"')],
    ['a number that loses digits', mutate('"/tmp/a"', '9007199254740993')],
    ['too many levels', mutate('"/tmp/a"', `${'['.repeat(65)}${']'.repeat(65)}`)],
  ])('O-5: with %s, the refusal has its id and its dialect', (_, input) => {
    expect(readMessage(input, SENDING)).toMatchObject({ ok: false, id: 'm-1', dialect: 'mcpx' });
  });

  it('O-5: requires a message to be an object', () => {
    expect(readMessage('[]', SENDING)).toMatchObject({
      refusal: { details: { found: 'an array of 0', expected: 'an object' } },
    });
  });

  it('O-5, O-25: an integer that a double would round is refused, a fraction is read as the double', () => {
    expect(readMessage(mutate('"/tmp/a"', '9007199254740993'), SENDING)).toMatchObject({
      refusal: { code: 'invalid_field', details: { field: 'payload.params.arguments.path' } },
    });
    expect(readMessage(mutate('"/tmp/a"', '0.12345678901234567890'), SENDING)).toMatchObject({
      value: { envelope: { payload: { params: { arguments: { path: 0.12345678901234568 } } } } },
    });
  });

  it('O-5: the limits are configurable', () => {
    const long = mutate('/tmp/a', 'x'.repeat(2_000_000));
    const limits = { maxBytes: 10_000_000, maxDepth: 64 };
    expect(readMessage(long, { ...SENDING, limits }).ok).toBe(true);
    expect(readMessage(text, { ...SENDING, limits: { maxBytes: 10, maxDepth: 64 } }).ok).toBe(false);
    expect(readMessage(text, { ...SENDING, limits: { maxBytes: 1000, maxDepth: 2 } }).ok).toBe(false);
  });

  it('O-5: a long field within the limit is refused without being quoted in full', () => {
    const limits = { maxBytes: 20_000_000, maxDepth: 64 };
    const reading = readMessage(mutate('m-1', 'x'.repeat(10_000_000)), { ...SENDING, limits });
    expect(reading).toMatchObject({
      ok: false,
      refusal: { code: 'invalid_field', details: { field: 'id' } },
    });
    expect(JSON.stringify(reading).length).toBeLessThan(1000);
  });
});

describe('a refusal', () => {
  const read = (fields: object) => readMessage(JSON.stringify({ ...good, ...fields }), SENDING);

  it("O-5: carries the message's id and dialect, so that it can be answered", () => {
    expect(read({ payload: 5 })).toMatchObject({ ok: false, id: 'm-1', dialect: 'mcpx' });
    expect(read({ from: 'eve' })).toMatchObject({ ok: false, id: 'm-1', dialect: 'mcpx' });
    expect(read({ protocol: 'mew/v0.4', kind: 'mcp/nod' })).toMatchObject({ id: 'm-1', dialect: 'mew/v0.4' });
  });

  it.each([undefined, 5, '', 'a b'])('O-5: has no id if the message has %j', (id) => {
    expect(read({ id, payload: 5 })).not.toHaveProperty('id');
  });

  it('O-5: has neither if the text is not a message', () => {
    expect(Object.keys(readMessage('{', SENDING))).toStrictEqual(['ok', 'refusal']);
  });
});

describe('reading an object', () => {
  it('O-1: treats it like text, and copies it', () => {
    const payload: Record<string, string> = { text: 'hello' };
    const reading = readObject(message('chat.message', payload), SENDING);
    payload['text'] = 'changed';
    expect(reading).toMatchObject({ ok: true, value: { envelope: { payload: { text: 'hello' } } } });
  });

  const cyclic: Record<string, unknown> = { text: 'hello' };
  cyclic['self'] = cyclic;
  const throwing = {
    get text(): string {
      throw new Error('no');
    },
  };
  let deep: unknown = 'bottom';
  for (let level = 0; level < 100_000; level++) deep = [deep];

  it.each<readonly [string, unknown, string]>([
    ['contains itself', cyclic, 'not_json'],
    ['has a getter that throws', throwing, 'not_json'],
    ['is a class', new Date(0), 'not_json'],
    ['has a function', { text: () => 'hello' }, 'not_json'],
    ['has a bigint', { text: 1n }, 'not_json'],
    ['has NaN', { text: Number.NaN }, 'invalid_field'],
    ['has Infinity', { text: Infinity }, 'invalid_field'],
    ['has half a surrogate pair', { text: '\u{d800}' }, 'invalid_field'],
    ['has a key for the prototype', JSON.parse('{"__proto__":{"text":"hello"}}'), 'forbidden_key'],
    ['is nested 100,000 levels deep', { text: deep }, 'too_deep'],
    ['has ten million characters', { text: 'x'.repeat(10_000_000) }, 'too_large'],
  ])('O-5: refuses a payload that %s', (_, payload, code) => {
    const raw: object = { ...message('chat.message', {}), payload };
    expect(readObject(raw, SENDING)).toMatchObject({ ok: false, refusal: { code } });
  });

  it.each([undefined, null, 5, 'text', [], Symbol('x')])(
    'O-5: refuses %s, which is not a message',
    (value) => {
      expect(readObject(value, SENDING).ok).toBe(false);
    },
  );
});
