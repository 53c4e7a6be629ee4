import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** TLS trust settings, for Node. */
export interface TrustOptions {
  /** Certificate authorities to trust in addition to Node's, in PEM. Default none. */
  readonly ca?: string | Uint8Array;
}

/**
 * Node's own authorities, those of NODE_EXTRA_CA_CERTS, and these: a list given to Node replaces all
 * of its own.
 */
export function trustedCertificates(...more: readonly (string | Uint8Array)[]): readonly string[] {
  return [...rootCertificates, ...extraCertificates(), ...more.map((pem) => Buffer.from(pem).toString())];
}

/**
 * The certificates of NODE_EXTRA_CA_CERTS. Node itself warns about an unreadable file, and continues
 * without it.
 */
export function extraCertificates(): readonly string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
