import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import type { AgentId } from './hook-call.js';
import { patchInLine } from './patch.js';
import { effectOf } from './tool-effects.js';

const patch = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const patched = (text: string) =>
  effectOf({ agent: 'codex', tool: 'apply_patch', arguments: { command: text } });

describe('a patch names every file that Codex CLI changes', () => {
  const first = ['*** Add File: src/a', '+text'];
  it.each([
    ['a plain header', patch(...first, '*** Add File: .claude/settings.json', '+{}')],
    ['an indented header', patch(...first, '   *** Add File: .claude/settings.json', '+{}')],
    ['a tab before it', patch(...first, '\t*** Add File: .claude/settings.json', '+{}')],
    ['another white space', patch(...first, '\u3000\u0085*** Add File: .claude/settings.json\u00a0', '+{}')],
    [
      'a carriage return',
      patch(...first, '*** Add File: .claude/settings.json', '+{}').replaceAll('\n', '\r\n'),
    ],
    ['an indented deletion', patch(...first, ' *** Delete File: .claude/settings.json')],
    ['an indented update', patch(...first, ' *** Update File: .claude/settings.json', '@@', '+x')],
    ['after a deletion', patch('*** Delete File: src/a', '  *** Delete File: .claude/settings.json')],
    ['a move', patch('*** Update File: src/a', '*** Move to: .claude/settings.json', '@@', '-a', '+b')],
    ['markers with spaces', ` ${patch(...first, '*** Add File: .claude/settings.json', '+{}')}  `],
    ['a here-document', `<<'EOF'\n${patch(...first, ' *** Add File: .claude/settings.json', '+{}')}\nEOF`],
  ])('%s', (_, text) => {
    const effect = patched(text);
    expect(effect).toEqual({ type: 'files', paths: ['src/a', '.claude/settings.json'], isReading: false });
  });

  it('with the lines of its files, which are not headers', () => {
    const text = patch(
      '*** Update File: src/a',
      '@@ def f():',
      ' context',
      '',
      '-*** Add File: b',
      '+*** Delete File: c',
      '*** End of File',
      '*** Add File: d',
      '+ *** Add File: e',
    );
    expect(patched(text)).toMatchObject({ paths: ['src/a', 'd'] });
    expect(patched(text)).not.toHaveProperty('unclear');
  });

  it.each([
    [
      'a context line that another agent takes for a header',
      patch('*** Update File: a', ' *** Move to: b', '+x'),
    ],
    ['a header in a context line', patch('*** Update File: a', '@@', ' x', ' *** Add File: b', '+x')],
    ['a line that is nothing', patch('*** Add File: a', '+x', 'y')],
    ['an unknown header', patch('*** Rename File: a')],
    ['another environment', patch('*** Environment ID: remote', '*** Add File: a', '+x')],
    ['a second patch', patch('*** Add File: a', '+x', '*** End Patch', '*** Begin Patch', '*** Add File: b')],
    ['no end', '*** Begin Patch\n*** Add File: a\n+x'],
    ['no beginning', '*** Add File: a\n+x\n*** End Patch'],
    ['other letters', patch('*** add file: b')],
    ['no file', patch()],
    ['a unified diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b'],
  ])('and is unclear with %s', (_, text) => {
    expect(patched(text)).toMatchObject({ type: 'files', unclear: expect.any(String) });
  });

  it('keeps spaces in paths, which belong to them', () => {
    expect(patched(patch('*** Add File:  a b ', '+x'))).toMatchObject({ paths: [' a b'] });
  });

  it('is read in linear time', () => {
    const wide = `+${' '.repeat(200_000)}x`;
    expect(patched(patch('*** Add File: a', wide, `${' '.repeat(200_000)}*** Add File: b`))).toMatchObject({
      paths: ['a', 'b'],
    });
  });

  it('in a shell line, too', () => {
    const text = patch('*** Add File: a', '+$x');
    expect(patchInLine(`apply_patch <<'EOF'\n${text}\nEOF`)).toEqual({ paths: ['a'] });
    expect(patchInLine(`cd src && applypatch <<"X"\n${text}\nX`)).toEqual({ paths: ['a'] });
    expect(patchInLine(`apply_patch '${text}'`)).toEqual({ paths: ['a'] });
    expect(patchInLine(`apply_patch <<EOF\n${text}\nEOF`)).toMatchObject({ unclear: expect.any(String) });
    expect(patchInLine('apply_patch < file')).toMatchObject({ unclear: expect.any(String) });
  });
});

describe('a file tool names its files', () => {
  const paths = (tool: string, given: JsonObject, agent: AgentId = 'claude-code') => {
    const effect = effectOf({ agent, tool, arguments: given });
    return effect.type === 'files' ? effect.paths : effect.type;
  };

  it.each<[string, JsonObject, readonly string[]]>([
    ['Write', { file_path: 'a', content: '/etc/passwd' }, ['a']],
    ['Write', { file_path: 'a', path: 'b', filePath: 'c', target_file: 'd' }, ['a', 'b', 'c', 'd']],
    [
      'MultiEdit',
      { file_path: 'a', edits: [{ file_path: 'b', old_string: 'x', new_string: 'y' }] },
      ['a', 'b'],
    ],
    ['NotebookEdit', { notebook_path: 'a', file_path: 'b', new_source: 'c' }, ['a', 'b']],
    ['create', { path: 'a', file_text: 'b' }, ['a']],
    ['str_replace_editor', { command: 'create', path: 'a', old_str: 'b', new_str: 'c' }, ['a']],
    ['replace', { file_path: 'a', instruction: 'b', old_string: 'c', new_string: 'd' }, ['a']],
    ['Read', { file_path: ['a', 'b'] }, ['a', 'b']],
    ['Grep', { pattern: 'x', path: 'a', glob: '*.ts', type: 'js', output_mode: 'content' }, ['a']],
    ['grep_search', { pattern: 'x', dir_path: 'a', include_pattern: '*.ts' }, ['a']],
    ['LS', {}, ['.']],
    ['Glob', { pattern: '**/*.ts' }, ['./']],
    ['Glob', { pattern: 'src/**', path: 'a' }, ['a/src/']],
    ['Glob', { pattern: '/etc/*', path: 'a' }, ['/etc/']],
    ['read_many_files', { include: ['src/*.ts', '/etc/passwd'] }, ['./src/', '/etc/']],
  ])('%s %j', (tool, given, expected) => {
    expect(paths(tool, given)).toEqual(expected);
  });

  it('and is unclear where a pattern may lead out', () => {
    const effect = effectOf({ agent: 'gemini-cli', tool: 'glob', arguments: { pattern: '{..,x}/**' } });
    expect(effect).toMatchObject({ unclear: expect.any(String) });
  });

  it('or is unknown if it names none', () => {
    expect(paths('Write', { content: 'x' })).toBe('other');
  });
});

describe('a web tool names its addresses', () => {
  const urls = (given: JsonObject) => {
    const effect = effectOf({ agent: 'gemini-cli', tool: 'web_fetch', arguments: given });
    return effect.type === 'web' ? effect.urls : effect.type;
  };

  it('as a whole, and in a prompt word by word', () => {
    expect(urls({ url: 'http://good.example)@evil.example/' })).toEqual([
      'http://good.example)@evil.example/',
    ]);
    expect(urls({ prompt: 'Read (https://a.example/x) and https://b.example.' })).toEqual([
      'https://a.example/x',
      'https://b.example.',
    ]);
    expect(urls({ prompt: 'http://good.example)@evil.example/' })).toContain(
      'http://good.example)@evil.example/',
    );
    expect(urls({ prompt: 'nothing' })).toBe('other');
  });
});

describe('a shell tool names its folder', () => {
  it('unless the agent does not tell', () => {
    const line = { command: 'ls', workdir: 'src' };
    expect(effectOf({ agent: 'copilot-cli', tool: 'bash', arguments: line })).toMatchObject({
      folder: 'src',
    });
    expect(effectOf({ agent: 'codex', tool: 'Bash', arguments: { command: 'ls' } })).toMatchObject({
      folder: null,
    });
  });
});
