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

it("says what follows from an answer to a guard's question, and not what a call would do", () => {
  const ask = (tool: string) => ({
    method: 'tools/call',
    params: { name: 'files/proffer_trust', arguments: { tool, is: { name: tool } } },
  });
  expect(describeRisk(ask('*'), undefined, PLAIN)).toMatchObject({
    headline: 'A question of trust',
    reasons: ['Nothing runs now', 'Approving means that you trust what files says about its tools'],
  });
  expect(describeRisk(ask('read'), undefined, PLAIN).reasons).toEqual([
    'Nothing runs now',
    'Approving means that read can be used again, in its changed form',
  ]);
  // Anything else in it makes it a call like any other.
  const { method, params } = ask('*');
  const more = { ...params, arguments: { ...params.arguments, path: '/x' } };
  expect(describeRisk({ method, params: more }, undefined, PLAIN).headline).toBe('May change something');
});
