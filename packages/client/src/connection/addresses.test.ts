import { describe, expect, it } from 'vitest';
import { askInTurn, createAddresses, listAddresses } from './addresses.js';
import { retryDelay } from './backoff.js';

describe('several addresses', () => {
  it('are given as a list, or as text with commas, each counted once', () => {
    expect(listAddresses('http://a, http://b,http://a')).toEqual(['http://a', 'http://b']);
    expect(listAddresses(['ws://a', 'ws://b'])).toEqual(['ws://a', 'ws://b']);
    expect(() => createAddresses([])).toThrow(TypeError);
  });

  it('moving on makes the next one current for everyone who shares them, in a cycle', () => {
    const addresses = createAddresses('a,b,c');
    addresses.leave('a');
    // A second request with the same result changes nothing.
    addresses.leave('a');
    expect(addresses.current).toBe('b');
    expect(addresses.inTurn()).toEqual(['b', 'c', 'a']);
    addresses.leave('b');
    addresses.leave('c');
    expect(addresses.current).toBe('a');
  });

  it('are asked in turn until one answers, and other errors are thrown at once', async () => {
    const addresses = createAddresses('a,b,c');
    const asked: string[] = [];
    const ask = async (address: string): Promise<string> => {
      asked.push(address);
      if (address !== 'c') throw new Error('gone');
      return address;
    };
    expect(await askInTurn(addresses, () => true, ask)).toBe('c');
    expect(await askInTurn(addresses, () => true, ask)).toBe('c');
    expect(asked).toEqual(['a', 'b', 'c', 'c']);
    addresses.leave('c');
    await expect(askInTurn(addresses, () => false, ask)).rejects.toThrow('gone');
    expect(asked).toEqual(['a', 'b', 'c', 'c', 'a']);
  });

  it('are all tried before there is a wait', () => {
    const waits = [0, 1, 2, 3, 4, 5].map((attempt) => retryDelay(attempt, { delay: 100 }, 3));
    expect(waits.map((wait) => wait > 0)).toEqual([false, false, true, false, false, true]);
    expect(waits[5]).toBeGreaterThanOrEqual(100);
  });
});
