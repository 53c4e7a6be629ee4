import { describe, expect, it } from 'vitest';
import { createStyle } from '../terminal/shell.js';
import { showDiff } from './changes.js';

const show = (before: string, after: string): readonly string[] =>
  showDiff({ before, after }, createStyle(false), { gutter: '', isRevealed: false });

describe('a difference between texts', () => {
  it('does not show the line ends of a file in which all lines end with CRLF', () => {
    expect(show('one\r\ntwo\r\n', 'one\r\nthree\r\n')).toEqual(['  one', '- two', '+ three', '  ']);
  });

  it('shows that line ends change', () => {
    expect(show('one\r\ntwo', 'one\ntwo')).toEqual(['- one␍', '+ one', '  two']);
  });

  it('shows a carriage return inside a line, which would overwrite it', () => {
    expect(show('safe', 'evil\rsafe').join('\n')).toContain('\\u{d}');
  });
});
