import { describe, expect, it } from 'vitest';
import { shortIds } from './short-ids.js';

const call = (key: string) => `call-${key}${'0'.repeat(24 - key.length)}-mfx2k3abcdefabcdefabcdef`;

describe('ids in a table', () => {
  it('are shortened to the shortest unique prefix with a mark if they are long', () => {
    const [one, two, far] = [call('aaaaaaaaaa1'), call('aaaaaaaaaa2'), call('b')];
    const short = shortIds([far, two, one, 'p-k3f9x-2mq7c']);
    expect([one, two, far].map(short)).toEqual(['call-aaaaaaaaaa1…', 'call-aaaaaaaaaa2…', 'call-b0000000…']);
    expect(short('p-k3f9x-2mq7c')).toBe('p-k3f9x-2mq7c');
  });

  it('stay whole if one is a prefix of another, or if cutting would not be safe', () => {
    const inner = call('a');
    const short = shortIds([inner, `${inner}-again`, 'wéird'.repeat(10)]);
    expect(short(inner)).toBe(JSON.stringify(inner));
    expect(short(`${inner}-again`)).toBe(`${inner}-…`);
    expect(short('wéird'.repeat(10))).toBe(JSON.stringify('wéird'.repeat(10)));
  });

  it('cannot pass for the short form of another id', () => {
    const real = '93bfb062-1d8e-4c55-a7f4-0b9d7a6f1c22';
    const fakes = ['93bfb062-1d8e', '93bfb062-1d8e…', '93bfb062-1d8e...'];
    const short = shortIds([real, ...fakes]);
    expect(fakes.map(short)).toEqual(['"93bfb062-1d8e"', '"93bfb062-1d8e…"', '"93bfb062-1d8e..."']);
    expect(short(real)).toBe('93bfb062-1d8e-…');
    expect(shortIds([real])(real)).toBe('93bfb062-1d8e…');
  });
});
