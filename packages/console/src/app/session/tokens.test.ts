import { expect, it } from 'vitest';
import { holdTokens, type Tokens } from './tokens.js';

/** A token that is due for renewal. */
function renewing(renew: () => Promise<Tokens>) {
  const changes: string[] = [];
  const failures: unknown[] = [];
  const holder = holdTokens(
    { token: 'old', renewAt: 0, renew },
    { onChange: (token) => changes.push(token), onFailure: (error) => failures.push(error) },
  );
  return { holder, changes, failures };
}

it('I-4: ignores a renewal that ends after signing out', async () => {
  const { holder, changes } = renewing(async () => ({ token: 'new' }));
  const fresh = holder.fresh();
  holder.close();
  expect(await fresh).toBe('old');
  expect(changes).toEqual([]);
  expect(holder.current()).toBe('old');
});

it('I-4: gives everyone who waits for a renewal the new token', async () => {
  const { holder, changes } = renewing(async () => ({ token: 'new' }));
  expect(await Promise.all([holder.fresh(), holder.fresh()])).toEqual(['new', 'new']);
  expect(changes).toEqual(['new']);
});

it('reports a failed renewal, and keeps the current token', async () => {
  const error = new Error('The issuer is not responding.');
  const { holder, failures } = renewing(() => Promise.reject(error));
  expect(await holder.fresh()).toBe('old');
  expect(failures).toEqual([error]);
  holder.close();
});
