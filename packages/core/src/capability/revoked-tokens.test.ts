import { expect, it } from 'vitest';
import { replay } from '../decision.js';
import { revokedTokens, type TokenRecord, type TokensReplaced } from './revoked-tokens.js';

const history: TokenRecord[] = [];
const reload = (command: TokensReplaced) => {
  const { records = [] } = revokedTokens.decide(replay(revokedTokens, history), command, { now: 1 });
  history.push(...records);
  return records.map(({ type, facts }) => `${type} ${facts.tokens.join()}`);
};

it('I-4: a token removed at one gateway is revoked until a gateway without it adds it back', () => {
  expect(reload({ before: ['a', 'b'], after: ['b', 'c'] })).toEqual(['tokens_revoked a']);
  // The next gateway gets the same configuration.
  expect(reload({ before: ['a', 'b'], after: ['b', 'c'] })).toEqual([]);
  // A forgotten gateway reloads for another reason, and still has it.
  expect(reload({ before: ['a', 'b'], after: ['a', 'b', 'd'] })).toEqual([]);
  expect([...replay(revokedTokens, history)]).toEqual(['a']);
  expect(reload({ before: ['b', 'c'], after: ['a', 'c'] })).toEqual([
    'tokens_revoked b',
    'tokens_restored a',
  ]);
  expect([...replay(revokedTokens, history)]).toEqual(['b']);
});
