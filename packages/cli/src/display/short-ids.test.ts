import { describe, expect, it } from 'vitest';
import { shortIds } from './short-ids.js';

const call = (key: string) => `call-${key}${'0'.repeat(24 - key.length)}-mfx2k3abcdefabcdefabcdef`;

describe('ids in a table', () => {
  it('are the shortest beginning that no other has, with a mark behind it, if they are long', () => {
    const [one, two, far] = [call('aaaaaaaaaa1'), call('aaaaaaaaaa2'), call('b')];
    const short = shortIds([far, two, one, 'p-k3f9x-2mq7c']);
    expect([one, two, far].map(short)).toEqual(['call-aaaaaaaaaa1…', 'call-aaaaaaaaaa2…', 'call-b0000000…']);
    expect(short('p-k3f9x-2mq7c')).toBe('p-k3f9x-2mq7c');
  });

  it('stay whole where one is the beginning of another, or where a cut would not be safe', () => {
    const inner = call('a');
    const short = shortIds([inner, `${inner}-again`, 'wéird'.repeat(10)]);
    expect(short(inner)).toBe(JSON.stringify(inner));
    expect(short(`${inner}-again`)).toBe(`${inner}-…`);
    expect(short('wéird'.repeat(10))).toBe(JSON.stringify('wéird'.repeat(10)));
  });

  it('an id cannot pass for the short form of another', () => {
    const real = '93bfb062-1d8e-4c55-a7f4-0b9d7a6f1c22';
    const fakes = ['93bfb062-1d8e', '93bfb062-1d8e…', '93bfb062-1d8e...'];
    const short = shortIds([real, ...fakes]);
    expect(fakes.map(short)).toEqual(['"93bfb062-1d8e"', '"93bfb062-1d8e…"', '"93bfb062-1d8e..."']);
    expect(short(real)).toBe('93bfb062-1d8e-…');
    expect(shortIds([real])(real)).toBe('93bfb062-1d8e…');
  });
});
