import { describe, expect, it } from 'vitest';
import { isIdentifier, isParticipantName } from './name.js';

describe('an id or a name', () => {
  it.each([
    'a',
    'prop-123',
    '2f6b6e70-7b36-4b8b-9ad8-7c4f7d0e2d0b',
    'urn:example:42/7?x=1',
    'Łódź-日本語',
    'caf\u{e9}',
    'constructor',
    'proto__',
    'system:notice',
    '🐈',
    'x'.repeat(128),
    '🐈'.repeat(128),
  ])('O-3: accepts %j', (text) => {
    expect(isIdentifier(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['129 characters', 'x'.repeat(129)],
    ['129 characters outside the first plane', '🐈'.repeat(129)],
    ['ten million characters', 'x'.repeat(10_000_000)],
    ['a space', 'a b'],
    ['a trailing new line', 'a\n'],
    ['a no-break space', 'a\u{a0}b'],
    ['an ideographic space', 'a\u{3000}b'],
    ['a control character', 'a\u{0}b'],
    ['a C1 control character', 'a\u{85}b'],
    ['a zero-width space', 'a\u{200b}b'],
    ['a zero-width joiner', 'a\u{200d}b'],
    ['a byte order mark', '\u{feff}a'],
    ['a soft hyphen', 'a\u{ad}b'],
    ['a right-to-left override', 'a\u{202e}b'],
    ['a left-to-right isolate', 'a\u{2066}b'],
    ['a tag character', 'a\u{e0041}'],
    ['a variation selector', 'a\u{fe0f}'],
    ['a Hangul filler', 'a\u{3164}'],
    ['a Braille blank', 'a\u{2800}'],
    ['a private character', 'a\u{e000}'],
    ['half a surrogate pair', 'a\u{d83d}'],
    ['a letter and its accent apart', 'cafe\u{301}'],
    ['a sign that stands for a letter', '\u{212b}'],
    ['a reserved object key', '__proto__'],
  ])('O-3: refuses %s', (_, text) => {
    expect(isIdentifier(text)).toBe(false);
  });

  it.each([5, null, undefined, {}, ['a']])('O-3: refuses %j, which is not text', (value) => {
    expect(isIdentifier(value)).toBe(false);
  });
});

describe('the name of a participant', () => {
  it.each(['agent', 'systems', 'system-monitor', 'ecosystem', 'my:system'])('O-2: may be %j', (name) => {
    expect(isParticipantName(name)).toBe(true);
  });

  it.each(['system:gateway', 'system', 'system:', 'system:other', 'System:Gateway', 'SYSTEM'])(
    'O-2: cannot be %j, which passes for the gateway',
    (name) => {
      expect(isParticipantName(name)).toBe(false);
    },
  );

  it.each(['__proto__', 'cafe\u{301}', 'a b'])('O-2: cannot be %j, which is not an identifier', (name) => {
    expect(isParticipantName(name)).toBe(false);
  });

  it.each(['role:finance', 'Role:finance'])('is not the name of a role: %s', (name) => {
    expect(isParticipantName(name)).toBe(false);
  });
});
