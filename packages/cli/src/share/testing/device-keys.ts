import { generateKeyPairSync, sign } from 'node:crypto';

/** The key of a browser, and what it does with it. */
export function deviceKeys(namedCurve = 'P-256') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  return {
    /** The public one, as the browser sends it. */
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    answer: (device: string, challenge: string) => ({
      device,
      challenge,
      signature: sign('sha256', Buffer.from(`proffer device sign-in\n${device}\n${challenge}`), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url'),
    }),
  };
}
