import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The time in these tests, in milliseconds since 1970; the real clock does not matter for verification. */
export const NOW = 1_800_000_000_000;

/** Claims; `undefined` omits a default one. */
export type Claims = Readonly<Record<string, unknown>>;

/** An issuer's key pair, and how it signs. */
export interface IssuerKey {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
  readonly sign: (
    claims: Claims,
    header?: { readonly kid?: string; readonly alg?: string },
  ) => Promise<string>;
}

/**
 * Creates a key pair and signs with it, by default as `https://issuer.example`, for `proffer`, for a minute.
 */
export async function createIssuerKey(alg: 'RS256' | 'ES256', kid: string): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid };
  return { jwk, privateKey, sign: (claims, header) => signWith(privateKey, { alg, kid, ...header }, claims) };
}

/** Signs claims with any key; defaults are filled in. */
export function signWith(key: CryptoKey | Uint8Array, header: { alg: string; kid?: string }, claims: Claims) {
  const usual = { iss: 'https://issuer.example', aud: 'proffer', exp: NOW / 1000 + 60 };
  const payload = Object.fromEntries(
    Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader(header).sign(key);
}

type Answer = { readonly status: number; readonly body: string };

/**
 * A real server for a key set; its answer can be changed (except at `/elsewhere`), and it counts requests.
 */
export interface KeyServer extends AsyncDisposable {
  readonly url: string;
  answer: Answer | Promise<Answer> | 'silence';
  readonly asked: () => number;
}

async function reply(answer: Answer | Promise<Answer>, response: ServerResponse): Promise<void> {
  const { status, body } = await answer;
  response.writeHead(status, { location: '/elsewhere', 'content-type': 'application/json' });
  response.end(body);
}

export async function startKeyServer(keys: readonly JWK[]): Promise<KeyServer> {
  let asked = 0;
  const setAtStart = { status: 200, body: JSON.stringify({ keys }) };
  const server = createServer((request, response) => {
    asked++;
    if (request.url === '/elsewhere') return void reply(setAtStart, response);
    if (handle.answer === 'silence') return;
    void reply(handle.answer, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const handle: KeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    answer: setAtStart,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return handle;
}
