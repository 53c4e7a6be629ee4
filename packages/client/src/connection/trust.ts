import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Whom to trust over TLS, from Node. */
export interface TrustOptions {
  /** Certificates of authorities to trust in addition to those that Node trusts, in PEM. Default none. */
  readonly ca?: string | Uint8Array;
}

/** Node's own authorities, those of NODE_EXTRA_CA_CERTS, and these: a list that is given to Node replaces all of its own. */
export function trustedCertificates(...more: readonly (string | Uint8Array)[]): readonly string[] {
  return [...rootCertificates, ...extraCertificates(), ...more.map((pem) => Buffer.from(pem).toString())];
}

/** What NODE_EXTRA_CA_CERTS names. Node itself warns about a file that cannot be read, and continues without it. */
export function extraCertificates(): readonly string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
