import { expect, it } from 'vitest';
import { describeRisk } from './risk.js';
import { PLAIN } from './voice.js';

const levelOf = (content: string): string =>
  describeRisk(
    { method: 'tools/call', params: { name: 'write_file', arguments: { content } } },
    undefined,
    PLAIN,
  ).level;

it('lines that end with CRLF hide nothing; a carriage return anywhere else does', () => {
  expect(levelOf('a\r\nb\r\n')).toBe('some');
  expect(levelOf('rm -rf /\recho hello')).toBe('high');
  expect(levelOf('a\u200bb')).toBe('high');
});
