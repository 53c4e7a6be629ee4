import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LineState, tokensOf } from './code-tokens.js';
import { type Language, languageOfFile, languageOfName } from './language.js';
import { numberedLines } from './line-ends.js';

const kinds = (line: string, language: Language, from: LineState = '') =>
  tokensOf(line, language, from)
    .tokens.filter(({ kind }) => kind !== undefined)
    .map(({ text, kind }) => `${kind}: ${text}`);

it('tells comments, texts, numbers and keywords apart', () => {
  expect(kinds('const a = "b // c"; // 12', 'c')).toEqual([
    'keyword: const',
    'string: "b // c"',
    'comment: // 12',
  ]);
  expect(kinds('if x == 0x1f: # no', 'script')).toEqual(['keyword: if', 'number: 0x1f', 'comment: # no']);
  expect(kinds('echo a#b $# "x', 'script')).toEqual(['string: "x']);
  expect(kinds("SELECT 1 -- 'all'", 'sql')).toEqual(['keyword: SELECT', 'number: 1', "comment: -- 'all'"]);
  expect(kinds('  name: "x" # y', 'yaml')).toEqual(['name:   name', 'string: "x"', 'comment: # y']);
  expect(kinds('<a href="b">', 'markup')).toEqual(['name: <a', 'string: "b"', 'name: >']);
  expect(kinds('{"a": [redacted 2]}', 'json')).toEqual(['string: "a"']);
});

it('goes on in the next line with what a line opened', () => {
  const first = tokensOf('x /* a', 'c', '');
  expect(first.state).toBe('*/');
  expect(kinds('b */ return', 'c', first.state)).toEqual(['comment: b */', 'keyword: return']);
  expect(tokensOf('s = """ a', 'script', '').state).toBe('"""');
});

it('leaves every character where it was, in any text', () => {
  const language = fc.constantFrom<Language>('c', 'script', 'sql', 'json', 'yaml', 'markup');
  const state = fc.constantFrom<LineState>('', '*/', '`', '"""', "'''", '-->');
  const line = fc.string({
    unit: fc.constantFrom(...'a b 1 " \' ` / * # - < > ! \\ [ ] \u200b \u202e ж'.split(' '), ' '),
    maxLength: 60,
  });
  fc.assert(
    fc.property(line, language, state, (text, of, from) => {
      expect(
        tokensOf(text, of, from)
          .tokens.map((token) => token.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

it('knows the language by the file or the name of the argument', () => {
  expect(languageOfFile({ path: '/a/b.tsx' })).toBe('c');
  expect(languageOfFile({ mode: 'x', file_path: 'C:\\a\\Dockerfile' })).toBe('script');
  expect(languageOfFile({ path: '/a/notes.md' })).toBeUndefined();
  expect(languageOfName('command')).toBe('script');
  expect(languageOfName('content')).toBeUndefined();
});

it('numbers the lines of a text, unless there is one or there are thousands', () => {
  expect(numberedLines('a\n\nb\n')).toEqual(['a', '', 'b']);
  expect(numberedLines('a\n')).toEqual([]);
  expect(numberedLines('a\n'.repeat(3_000))).toEqual([]);
});
