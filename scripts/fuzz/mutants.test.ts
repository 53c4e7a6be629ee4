import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../tools.mjs';
import { MUTANTS } from './mutants.mjs';

it('every rule that the hunt for mutants breaks is still where the hunt looks for it', () => {
  const missing = MUTANTS.filter(({ file, from }) => {
    const source = readFileSync(join(root, 'packages/core/src/operations', file), 'utf8');
    return !source.includes(from);
  });
  expect(missing).toEqual([]);
});
