import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { failure, type Result, refuse, success } from '@proffer/core';
import type { TlsConfig } from '../config/index.js';

/** What a listener needs for TLS: 1.2 or newer. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
}

/**
 * Reads the certificate and its key. Refuses, naming the file, anything that would fail every handshake: a
 * missing or wrong file, a certificate that has expired or is not valid yet, a key that belongs to another
 * one.
 *
 * @param now - milliseconds since 1970
 */
export function readCertificate({ cert, key }: TlsConfig, now: number): Result<Certificate> {
  const certificate = readPem(cert);
  if (!certificate.ok) return invalid('tls.cert', cert, certificate.why);
  const parsed = attempt(() => new X509Certificate(certificate.value));
  if (!parsed.ok) return invalid('tls.cert', cert, 'contains no certificate in PEM format');
  const privateKey = readPem(key);
  if (!privateKey.ok) return invalid('tls.key', key, privateKey.why);
  const parsedKey = attempt(() => createPrivateKey(privateKey.value));
  if (!parsedKey.ok) return invalid('tls.key', key, 'contains no unencrypted private key in PEM format');
  const wrong = problemOf(parsed.value, parsedKey.value, now);
  if (wrong === 'another key') return invalid('tls.key', key, `is not the key of the certificate in ${cert}`);
  if (wrong !== undefined) return invalid('tls.cert', cert, wrong);
  const usable = { cert: certificate.value, key: privateKey.value, minVersion: 'TLSv1.2' } as const;
  const context = attempt(() => createSecureContext(usable));
  return context.ok ? success(usable) : invalid('tls.cert', cert, `cannot be used: ${context.why}`);
}

function problemOf(certificate: X509Certificate, key: KeyObject, now: number): string | undefined {
  if (!certificate.checkPrivateKey(key)) return 'another key';
  const { validFrom, validTo } = certificate;
  if (now > Date.parse(validTo)) return `contains a certificate that expired on ${validTo}`;
  return now < Date.parse(validFrom)
    ? `contains a certificate that is not valid before ${validFrom}`
    : undefined;
}

function invalid(field: string, file: string, what: string): Result<never> {
  return failure(refuse('invalid_tls', `${field}: ${file} ${what}.`, { field, file }));
}

type Attempted<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly why: string };

function attempt<Value>(read: () => Value): Attempted<Value> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

function readPem(file: string): Attempted<Buffer> {
  const read = attempt(() => readFileSync(file));
  return read.ok ? read : { ok: false, why: `cannot be read (${read.why})` };
}
