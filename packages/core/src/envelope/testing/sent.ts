import { expect } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { fingerprint } from '../../operations/proposal/fingerprint.js';
import { readBytes, readMessage, type SentBytes } from '../read.js';
import { writtenOf } from '../written.js';
import { SENDING } from './reading.js';

/** A text as it arrives: in the middle of what else arrived, which also looks like JSON. */
export function sentBytes(text: string): SentBytes {
  const [before, after] = ['{"a":"', '"}0123'];
  const bytes = Buffer.from(`${before}${text}${after}`);
  return { bytes, start: before.length, end: bytes.length - after.length, text: () => text };
}

/**
 * Checks that bytes are read as text is, and that what an envelope keeps is its canonical form. Text that is no Unicode
 * has no bytes. Returns whether the scan was sure.
 */
export function checkBytes(text: string): boolean {
  if (!text.isWellFormed()) return false;
  const asText = readMessage(text, SENDING);
  const asBytes = readBytes(sentBytes(text), SENDING);
  expect(asBytes).toEqual(asText);
  if (!asBytes.ok || !asText.ok) return false;
  const written = writtenOf(asBytes.value.envelope);
  if (written === undefined) return false;
  const { before, bytes, start, end, after } = written;
  const { envelope } = asText.value;
  const payload = Buffer.from(bytes.subarray(start, end)).toString();
  expect(payload).toBe(canonicalJson(envelope.payload));
  expect(`{${before}${payload}${after}`).toBe(canonicalJson(envelope));
  expect(fingerprint(asBytes.value.envelope)).toBe(fingerprint(envelope));
  return true;
}
