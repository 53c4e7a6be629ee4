import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKeyLine, createMacs, type KeyRing, parseKeyRing, readKeyRing } from './key-ring.js';

const SECRET = 'x'.repeat(43);

function ringOf(...lines: readonly string[]): KeyRing {
  const ring = parseKeyRing(lines.join('\n'), 'the test');
  if (!ring.ok) throw new Error(ring.refusal.message);
  return ring.value;
}

describe('keys of gateways', () => {
  it('I-9: the first one signs, and all are accepted', () => {
    const ring = ringOf('# a comment', '', `new:${SECRET}`, `old:${'y'.repeat(43)}:17, ${createKeyLine()}`);
    expect(ring.current.id).toBe('new');
    expect([...ring.accepted.keys()]).toEqual(['new', 'old', expect.stringMatching(/^k-[0-9a-f]{8}$/)]);
    expect(ring.accepted.get('old')?.upTo).toBe(17);
  });

  it('are new each time', () => {
    expect(createKeyLine()).not.toBe(createKeyLine());
    expect(createKeyLine().split(':')[1]).toHaveLength(43);
  });

  it.each([
    ['', 'There is no key in the test'],
    ['# only a comment', 'There is no key'],
    ['nothing', 'Key 1 in the test is not written as ID:SECRET'],
    ['a:short', 'Key 1 in the test (a) has 3 bytes, and needs 32 or more'],
    [`a:${SECRET} a:${SECRET}`, 'Key 2 in the test has the same id'],
    [`a:${SECRET}:5`, 'The first key in the test signs'],
    [`a:${SECRET}:x`, 'is not written as ID:SECRET'],
    [`a b:${SECRET}`, 'Key 1 in the test is not written'],
  ])('are refused if they are wrong, without a secret in the message: %s', (text, words) => {
    const refused = parseKeyRing(text, 'the test');
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'unusable_keys' } });
    if (refused.ok) return;
    expect(refused.refusal.message).toContain(words);
    expect(refused.refusal.message).not.toContain(SECRET);
  });

  it('are read from a file, or given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-keys-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'keys');
    expect(await readKeyRing({ file })).toMatchObject({ ok: false, refusal: { code: 'unusable_keys' } });
    await writeFile(file, `a:${SECRET}\n`);
    expect(await readKeyRing({ file })).toMatchObject({ ok: true, value: { current: { id: 'a' } } });
    expect(await readKeyRing({ text: `b:${SECRET}` })).toMatchObject({ value: { current: { id: 'b' } } });
    expect(await readKeyRing(undefined)).toMatchObject({ ok: false, refusal: { code: 'unusable_keys' } });
  });
});

describe('codes', () => {
  it('I-9: are HMAC-SHA256, with the id of the key', () => {
    const expected = createHmac('sha256', Buffer.from(SECRET, 'base64url'))
      .update('text')
      .digest('base64url');
    expect(createMacs(ringOf(`a:${SECRET}`)).sign('text')).toBe(`a:${expected}`);
  });

  it('I-9: are valid for their text alone, under an accepted key, up to where that is accepted', () => {
    const [a, b] = [createKeyLine(), createKeyLine()];
    const mac = createMacs(ringOf(a)).sign('text');
    const both = createMacs(ringOf(b, a));
    expect(both.check('text', mac)).toBe('valid');
    expect(both.check('text ', mac)).toBe('wrong');
    expect(both.check('text', mac.slice(0, -2))).toBe('wrong');
    expect(both.check('text', `${mac.split(':')[0]}:`)).toBe('wrong');
    expect(both.check('text', '')).toBe('unknown key');
    expect(createMacs(ringOf(b)).check('text', mac)).toBe('unknown key');
    const replaced = createMacs(ringOf(b, `${a}:7`));
    expect([replaced.check('text', mac, 7), replaced.check('text', mac, 8)]).toEqual([
      'valid',
      'replaced key',
    ]);
    // What has no place is new.
    expect(replaced.check('text', mac)).toBe('replaced key');
  });
});
