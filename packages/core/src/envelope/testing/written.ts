import { expect } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { fingerprint } from '../../operations/proposal/fingerprint.js';
import type { Envelope } from '../envelope.js';
import { writtenOf } from '../written.js';

/** Checks that what an envelope keeps is its canonical form, and that nothing made from it differs from that of a copy. */
export function checkWritten(envelope: Envelope): void {
  const written = writtenOf(envelope);
  if (written === undefined) throw new Error('nothing is kept');
  const { bytes, start, end, payloadStart, payloadEnd } = written;
  expect(textOf(bytes, payloadStart, payloadEnd)).toBe(canonicalJson(envelope.payload));
  expect(textOf(bytes, start, end)).toBe(canonicalJson(envelope));
  const copy = { ...envelope };
  expect(writtenOf(copy)).toBeUndefined();
  expect(fingerprint(envelope)).toBe(fingerprint(copy));
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}
