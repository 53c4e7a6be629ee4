import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { makeVisible, printableJson, segmentText } from './index.js';

const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 100 });
/** Every character of the planes that have any, and of the one with tags and variation selectors. */
const everyCharacter = Array.from({ length: 0x21000 }, (_, code) =>
  String.fromCodePoint(code < 0x20000 ? code : 0xc0000 + code),
);

describe('text from others', () => {
  it.each([
    0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0x34f, 0x115f, 0x1160, 0x17b4, 0x2065, 0x2800, 0x3164, 0xffa0, 0xfff0,
    0xfff8, 0xe0080, 0x1d159, 0x16fe4, 0xfdd0, 0xffff, 0x10ffff, 0x378, 0xfffc, 0x13441, 0xa0, 0x1680, 0x2000,
    0x200a, 0x202f, 0x205f, 0x3000, 0x85, 0x1b, 0x202e, 0x200b, 0xe000, 0xd800,
  ])('O-5: U+%s is shown as an escape, wherever it occurs', (code) => {
    const character = String.fromCodePoint(code);
    const escape = `\\u{${code.toString(16)}}`;
    for (const [before, after] of [
      ['a', 'b'],
      ['', ''],
      [' ', ' '],
      ['日', '本'],
    ])
      expect(makeVisible(`${before}${character}${after}`)).toBe(`${before}${escape}${after}`);
  });

  it('O-5: characters that Unicode calls invisible, unassigned or a space are never shown as they are', () => {
    const hidden = /\p{C}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/u;
    const shown = makeVisible(everyCharacter.filter((character) => hidden.test(character)).join('.'));
    expect(shown).toMatch(/^[ -~]+$/);
  });

  it.each([
    'Grüße, 日本語 COVID-19患者, 😀 \\ "q"',
    'Привет, мир: а не about it',
    'שלום עולם, API הזה, ใช้APIนี้, مرحبا',
    'Ελληνικά και English, 5 µm',
    'nai\u0308ve, हिन्दी, ភាសាខ្មែរ, tiếng Việt',
    'ＡＢＣ株式会社',
  ])('O-5: %s stays unchanged', (text) => {
    expect(makeVisible(text)).toBe(text);
  });

  it.each([
    ['p\u0430ypal', 'p\\u{430}ypal', ['Latin', 'Cyrillic']],
    ['ec\u04bb\u03bf', 'ec\\u{4bb}\\u{3bf}', ['Latin', 'Cyrillic', 'Greek']],
    ['write_f\u0456le', 'write_f\\u{456}le', ['Latin', 'Cyrillic']],
    ['прив\u0061т', 'прив\\u{61}т', ['Cyrillic', 'Latin']],
    ['d\u{1d68e}lete', 'd\\u{1d68e}lete', ['Latin', 'Compatibility']],
    ['\uff45cho', '\\u{ff45}cho', ['Fullwidth', 'Latin']],
    ['\u{13a9}o', '\\u{13a9}o', ['Cherokee', 'Latin']],
  ])('O-5: alphabets mixed in one word are flagged: %s', (text, shown, scripts) => {
    expect(makeVisible(text)).toBe(shown);
    const [word] = segmentText(text);
    expect(word).toMatchObject({ type: 'suspicious', reason: 'mixed_scripts', scripts });
  });

  it('O-5: a hidden character does not hide a mixed word', () => {
    expect(makeVisible('p\u200b\u0430y')).toBe('p\\u{200b}\\u{430}y');
  });

  it('O-5: a word that only looks Latin is flagged unless its script is really used', () => {
    expect(makeVisible('run \u0435\u0441\u04bb\u043e now')).toBe('run \\u{435}\\u{441}\\u{4bb}\\u{43e} now');
    expect(segmentText('\u{1d68e}\u{1d68c}')).toMatchObject([{ type: 'suspicious', reason: 'lookalike' }]);
  });

  it('O-5: marks that would strike out or cover their surroundings are escaped', () => {
    expect(makeVisible('\u0336x')).toBe('\\u{336}x');
    expect(makeVisible('a \u0336b')).toBe('a \\u{336}b');
    expect(makeVisible(`e${'\u0301'.repeat(6)}`)).toBe(`e${'\u0301'.repeat(4)}\\u{301}\\u{301}`);
  });

  it('O-5: a hidden character comes with its code point, the reason, and its name if well known', () => {
    expect(segmentText('a\u202eb\tc', { multiline: true })).toEqual([
      { type: 'plain', text: 'a' },
      {
        type: 'hidden',
        text: '\u202e',
        codePoint: 0x202e,
        reason: 'bidirectional',
        name: 'right-to-left override',
        shown: '\\u{202e}',
      },
      { type: 'plain', text: 'b\tc' },
    ]);
    expect(segmentText('\u0378')).toMatchObject([{ reason: 'unassigned' }]);
    expect(segmentText('\u3000')).toMatchObject([{ reason: 'space', name: 'ideographic space' }]);
  });

  it('O-5: the segments together are the text', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, multiline) => {
        const segments = segmentText(text, { multiline });
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
      }),
      runs(300),
    );
  });
});

describe('printed JSON', () => {
  it('O-5: has no invisible or cursor-moving characters, and parses to the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const text = printableJson(value, 2);
        expect(text).not.toMatch(/(?!\n)\p{C}|\p{Default_Ignorable_Code_Point}/u);
        expect(JSON.parse(text)).toEqual(value);
      }),
      runs(300),
    );
    expect(printableJson('\u009b\u202e\u{e0041}')).toBe('"\\u009b\\u202e\\udb40\\udc41"');
  });
});
