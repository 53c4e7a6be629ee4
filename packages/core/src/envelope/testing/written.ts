import { expect } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { fingerprint } from '../../operations/proposal/fingerprint.js';
import type { Envelope } from '../envelope.js';
import { canonicalEnvelope, writtenOf } from '../written.js';

/** Checks that what an envelope keeps is its canonical form, and that nothing made from it differs from that of a copy. */
export function checkWritten(envelope: Envelope): void {
  expect(writtenOf(envelope)?.payload).toBe(canonicalJson(envelope.payload));
  expect(canonicalEnvelope(envelope)).toBe(canonicalJson(envelope));
  const copy = { ...envelope };
  expect(writtenOf(copy)).toBeUndefined();
  expect(fingerprint(envelope)).toBe(fingerprint(copy));
}
