import { describe, expect, it } from 'vitest';
import { createLookalikes, mixesAlphabets } from './lookalike.js';

const find = createLookalikes(['reviewer', 'agent1', 'Bill', 'modern']);

describe('a confusable name', () => {
  it.each([
    ['a Cyrillic letter', 'r\u{435}viewer', 'reviewer'],
    ['another case', 'Reviewer', 'reviewer'],
    ['an accent', 'revi\u{e9}wer', 'reviewer'],
    ['full-width letters', '\u{ff52}eviewer', 'reviewer'],
    ['a letter for a digit', 'agentl', 'agent1'],
    ['a capital I for an l', 'agentI', 'agent1'],
    ['a capital I among letters', 'BiIl', 'Bill'],
    ['m for rn', 'modem', 'modern'],
  ])('N-7: is detected by %s', (_, name, meant) => {
    expect(find(name)).toBe(meant);
  });

  it.each(['reviewer', 'reviewer2', 'agent2', 'Łódź-日本語', 'constructor'])('N-7: is not %s', (name) => {
    expect(find(name)).toBeUndefined();
  });

  it('N-7: may mix confusable alphabets, which no honest name does', () => {
    expect(mixesAlphabets('p\u{430}yments')).toBe(true);
    expect(mixesAlphabets('платежи')).toBe(false);
    expect(mixesAlphabets('日本語-agent')).toBe(false);
  });
});
