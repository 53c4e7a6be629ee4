import { describe, expect, it } from 'vitest';
import { shortIds } from './short-ids.js';

const call = (key: string) => `call-${key}${'0'.repeat(24 - key.length)}-mfx2k3abcdefabcdefabcdef`;

describe('ids in a table', () => {
  it('are the shortest beginning that no other has, if they are long', () => {
    const [one, two, far] = [call('aaaaaaaaaa1'), call('aaaaaaaaaa2'), call('b')];
    const short = shortIds([far, two, one, 'p-k3f9x-2mq7c']);
    expect([one, two, far].map(short)).toEqual(['call-aaaaaaaaaa1', 'call-aaaaaaaaaa2', 'call-b0000000']);
    expect(short('p-k3f9x-2mq7c')).toBe('p-k3f9x-2mq7c');
  });

  it('stay whole where one is the beginning of another, or where a cut would not be safe', () => {
    const inner = call('a');
    const short = shortIds([inner, `${inner}-again`, 'weird '.repeat(10)]);
    expect(short(inner)).toBe(inner);
    expect(short(`${inner}-again`)).toBe(`${inner}-`);
    expect(short('weird '.repeat(10))).toBe('weird '.repeat(10));
  });
});
