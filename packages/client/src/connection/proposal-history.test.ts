import { expect, it } from 'vitest';
import { createAddresses } from './addresses.js';
import type { Fetch } from './fetch.js';
import { readProposalHistory } from './proposal-history.js';

const about = { space: 'main', token: 't', answerWithin: 50 };

/** Never answers, or stops in the middle, until the signal ends it. */
const never = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

it.each<[string, Fetch]>([
  ['accepts the connection and says nothing', (_, init) => never(init?.signal)],
  [
    'starts an answer and stops',
    async (_, init) => Object.assign(new Response(), { text: () => never(init?.signal) }),
  ],
])('a history is read from the next gateway if one %s', async (_title, silent) => {
  const request: Fetch = async (url, init) =>
    url.includes('//a/') ? await silent(url, init) : Response.json({ history: [{ message: { id: 'm' } }] });
  const addresses = createAddresses('ws://a,ws://b');
  expect(await readProposalHistory({ ...about, addresses, request }, 'p')).toEqual([{ id: 'm' }]);
  expect(addresses.current).toBe('ws://b');
  const alone = readProposalHistory({ ...about, addresses: createAddresses('ws://a'), request }, 'p');
  await expect(alone).rejects.toThrow('No response from http://a within 0.05 s.');
});
