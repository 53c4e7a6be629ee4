import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;

/** A self-signed certificate for localhost, with its key, both as PEM. */
export function makeCertificate({
  from = Date.now() - DAY,
  to = Date.now() + DAY,
}: {
  readonly from?: number;
  readonly to?: number;
} = {}): MadeCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(node(0x31, sequence(oid('550403'), node(0x0c, Buffer.from('localhost')))));
  const alternatives = sequence(
    node(0x82, Buffer.from('localhost')),
    node(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const body = sequence(
    node(0xa0, node(0x02, Buffer.from([2]))),
    node(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    node(0xa3, sequence(sequence(oid('551d11'), node(0x04, alternatives)))),
  );
  const signature = node(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const lines = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Writes both into a folder; returns the configuration section that names them. */
export async function writeCertificate(folder: string, { cert, key }: MadeCertificate): Promise<string> {
  await writeFile(join(folder, 'gateway.crt'), cert);
  await writeFile(join(folder, 'gateway.key'), key);
  return `tls: { cert: ${join(folder, 'gateway.crt')}, key: ${join(folder, 'gateway.key')} }`;
}

/** One element of DER: a tag, the length, the content. */
function node(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...content: readonly Buffer[]): Buffer => node(0x30, ...content);

const oid = (hex: string): Buffer => node(0x06, Buffer.from(hex, 'hex'));

function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return node(0x18, Buffer.from(text));
}
