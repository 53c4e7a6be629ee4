import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { type JsonObject, textOf } from '@proffer/core/json';
import { type Assertion, type NewKey, type SignedContent, signingChallenge } from '@proffer/core/operations';

/** A key that signs, in memory. */
export interface SoftKey {
  readonly key: NewKey;
  readonly sign: (content: SignedContent, how?: SoftCeremony) => Assertion;
}

/** What an authenticator and its browser say; by default, the truth. */
export interface SoftCeremony {
  readonly challenge?: string;
  readonly type?: string;
  readonly origin?: string;
  readonly domain?: string;
  readonly crossOrigin?: boolean;
  /** Present and verified: 5. */
  readonly flags?: number;
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

export function softEd25519(): SoftKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' }) as JsonObject;
  const id = textOf(jwk['x']);
  return {
    key: { id, type: 'ed25519', jwk },
    sign(content) {
      const signature = sign(null, Buffer.from(signingChallenge(content)), privateKey).toString('base64url');
      return { key: id, ...content, signature };
    },
  };
}

/** A passkey as an authenticator has it (WebAuthn, ES256). */
export function softPasskey(domain = 'approvals.example.com', origin = `https://${domain}`): SoftKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' }) as JsonObject;
  const id = sha256(textOf(jwk['x'])).toString('base64url');
  return {
    key: { id, type: 'passkey', jwk, domain },
    sign(content, how = {}) {
      const challenge = Buffer.from(how.challenge ?? signingChallenge(content)).toString('base64url');
      const client = Buffer.from(
        JSON.stringify({
          type: how.type ?? 'webauthn.get',
          challenge,
          origin: how.origin ?? origin,
          crossOrigin: how.crossOrigin ?? false,
        }),
      );
      const counter = Buffer.alloc(4);
      const data = Buffer.concat([sha256(how.domain ?? domain), Buffer.from([how.flags ?? 5]), counter]);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        key: id,
        ...content,
        signature: signature.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
      };
    },
  };
}
