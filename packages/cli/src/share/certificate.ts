import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its key, in PEM. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/** In the guards' folder, in PEM. */
const OWN_CERT = 'share-cert.pem';
const OWN_KEY = 'share-key.pem';

/** The certificate that the owner put into the guards' folder, such as one of mkcert; or why it cannot be used. */
export function ownCertificate(folder: string): Certified | { readonly unusable: string } | undefined {
  const [cert, key] = [OWN_CERT, OWN_KEY].map((file) => join(folder, file)) as [string, string];
  const missing = [cert, key].filter((file) => !existsSync(file));
  if (missing.length === 2) return undefined;
  if (missing.length === 1) return { unusable: `${missing[0]} is missing.` };
  try {
    const own = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    if (new X509Certificate(own.cert).checkPrivateKey(createPrivateKey(own.key))) return own;
    return { unusable: `The key in ${key} does not belong to the certificate in ${cert}.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { unusable: `${cert} and ${key} cannot be read: ${why}.` };
  }
}

/** Browsers refuse certificates valid for more than 398 days, in milliseconds. */
const LIFETIME = 397 * 86_400_000;
/** How far a phone's clock may be behind, in milliseconds. */
const EARLY = 3_600_000;

/**
 * Creates a self-signed certificate for an IPv4 address (RFC 5280). Node can create keys and signatures, but
 * no certificates; this one has so few fields that writing them takes less code than a library with twenty
 * packages.
 */
export function selfSigned(address: string, now: number): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('Proffer'))))); // CN
  const ip = der(0x87, Buffer.from(address.split('.').map(Number)));
  const extensions = sequence(
    sequence(oid('551d11'), der(0x04, sequence(ip))), // subjectAltName
    sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, sequence())), // basicConstraints: no CA
    sequence(oid('551d25'), der(0x04, sequence(oid('2b06010505070301')))), // extKeyUsage: serverAuth
  );
  // Positive, without a leading zero.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    name,
    sequence(time(now - EARLY), time(now + LIFETIME)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]);
  const certificate = new X509Certificate(sequence(content, algorithm, der(0x03, signature)));
  return {
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Whether a certificate can still be used for an address. */
export function isGoodFor(cert: string, address: string, now: number): boolean {
  const certificate = new X509Certificate(cert);
  return certificate.checkIP(address) !== undefined && Date.parse(certificate.validTo) > now;
}

/** A value with its tag and length. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** UTCTime, `YYMMDDhhmmssZ`: right until 2049. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}
