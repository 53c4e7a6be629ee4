import { describe, expect, it } from 'vitest';
import { utf8 } from '../notes/bytes.js';
import { dsseBytes, dsseEnvelope, readDsse } from './dsse.js';

describe('DSSE', () => {
  it('I-10: signs the type and the payload with their lengths, in bytes', () => {
    const text = (type: string, payload: string): string =>
      new TextDecoder().decode(dsseBytes(type, utf8(payload)));
    expect(text('http://example.com/HelloWorld', 'hello world')).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
    expect(text('ü', '€')).toBe('DSSEv1 2 ü 3 €');
  });

  it('I-10: is read as it was written, and nothing else is read as one', () => {
    const envelope = dsseEnvelope('text/plain', utf8('a'), (bytes) => [{ keyid: 'k', signature: bytes }]);
    expect(readDsse(envelope)).toEqual({ ...envelope, payload: utf8('a') });
    for (const change of [{ payload: '' }, { payload: '!' }, { payload: 'YR==' }, { signatures: [1] }])
      expect(readDsse({ ...envelope, ...change })).toBeUndefined();
  });
});
