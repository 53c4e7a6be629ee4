import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.js';
import { digestJson, sha256 } from './sha256.js';
import { encodeUtf8, utf8Length } from './utf8.js';

const native = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const anyText = fc.string({
  unit: fc
    .oneof(fc.nat(0x7f), fc.nat(0x7ff), fc.nat(0xffff), fc.nat(0x10ffff))
    .map((code) => String.fromCodePoint(code)),
  maxLength: 200,
});

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('I-3: the published example %.10s… has its published hash', (text, hash) => {
    expect(sha256(text)).toBe(hash);
  });

  it('I-3: agrees with the platform for every length around block boundaries', () => {
    for (let length = 0; length <= 200; length++) {
      expect(sha256('x'.repeat(length))).toBe(native('x'.repeat(length)));
      expect(sha256('😀'.repeat(length))).toBe(native('😀'.repeat(length)));
    }
  });

  it('I-3: agrees with the platform for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sha256(text)).toBe(native(text));
      }),
      runs(500),
    );
  });

  it("I-3: encodes any text to the platform's UTF-8 bytes, including lone surrogates", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = encodeUtf8(text);
        expect(Buffer.from(bytes)).toEqual(Buffer.from(text, 'utf8'));
        expect(utf8Length(text)).toBe(bytes.length);
      }),
      runs(1000),
    );
  });
});

describe('digests', () => {
  it('O-25: a digest is that of the canonical text, whoever computes it', () => {
    const digest = digestJson({ b: 1, a: [true] });
    expect(digest).toBe(`sha256:${native('{"a":[true],"b":1}')}`);
    expect(digestJson({ a: [true], b: 1 }, native)).toBe(digest);
    expect(digestJson({ a: [true], b: 2 })).not.toBe(digest);
  });
});
