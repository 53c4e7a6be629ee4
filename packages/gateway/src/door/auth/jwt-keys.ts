import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { JsonWebKey, JwtAlgorithm, JwtConfig } from '../../config/index.js';

/** The candidate keys of a JWT. Empty: none fits. Rejects when keys are currently unavailable. */
type KeySource = (algorithm: JwtAlgorithm, keyId: string | undefined) => Promise<readonly JwtKey[]>;

export type JwtKey = CryptoKey | Uint8Array;

const MAX_KEY_SET_BYTES = 1_048_576;
const MAX_CANDIDATES = 8;

/** The key type for each algorithm: no key is ever used with an algorithm of another kind. */
const FITS: Readonly<Record<JwtAlgorithm, (key: JsonWebKey) => boolean>> = {
  RS256: ({ kty }) => kty === 'RSA',
  ES256: ({ kty, crv }) => kty === 'EC' && crv === 'P-256',
  HS256: ({ kty }) => kty === 'oct',
};

/** The configured keys: inline, or from an address. */
export function createKeySource({ keys, ...timing }: JwtConfig, now: () => number): KeySource {
  if ('url' in keys) return createRemoteKeys({ ...timing, url: keys.url }, now);
  const choose = chooser(keys.inline);
  return (algorithm, keyId) => choose(algorithm, keyId);
}

/** The state of a fetched key set. */
interface Fetched {
  readonly choose: KeySource;
  readonly at: number;
}

/**
 * Keys from an address. A set is used for `cacheFor`; an unknown key causes one more fetch, but there is at
 * most one fetch at a time and one per `cooldown`, also when fetches fail: tokens with made-up keys cannot be
 * used against the issuer. While the issuer does not answer, the old set is valid for another `cacheFor`.
 */
function createRemoteKeys(
  { url, cacheFor, cooldown, timeout }: Omit<JwtConfig, 'keys'> & { readonly url: string },
  now: () => number,
): KeySource {
  let fetched: Fetched | undefined;
  let lastTry = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    lastTry = now();
    const choose = chooser(await fetchKeySet(url, timeout));
    fetched = { choose, at: now() };
  }
  const isYounger = (age: number) => fetched !== undefined && now() - fetched.at < age;
  const mayTry = () => underWay !== undefined || now() - lastTry >= cooldown;
  const tryRefresh = async () => {
    underWay ??= refresh().finally(() => {
      underWay = undefined;
    });
    await underWay.catch((cause: unknown) => {
      if (!isYounger(2 * cacheFor)) throw cause;
    });
  };

  return async (algorithm, keyId) => {
    let tried = false;
    if (!isYounger(cacheFor) && mayTry()) {
      await tryRefresh();
      tried = true;
    }
    if (fetched === undefined || !isYounger(2 * cacheFor)) throw new Error('There is no key set.');
    const found = await fetched.choose(algorithm, keyId);
    if (found.length > 0 || tried || !mayTry()) return found;
    await tryRefresh();
    return fetched.choose(algorithm, keyId);
  };
}

async function fetchKeySet(url: string, timeout: number): Promise<readonly JsonWebKey[]> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`Fetching the key set failed with status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_KEY_SET_BYTES) throw new Error('The key set is too large.');
    chunks.push(chunk);
  }
  const set: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const keys = typeof set === 'object' && set !== null && 'keys' in set ? set.keys : undefined;
  if (!Array.isArray(keys)) throw new Error('The response is not a key set.');
  // A secret that anyone can fetch is not secret.
  return keys.filter(isKey).filter(({ kty }) => kty !== 'oct');
}

function isKey(key: unknown): key is JsonWebKey {
  return typeof key === 'object' && key !== null && 'kty' in key && typeof key.kty === 'string';
}

/** Chooses from a set by algorithm and key id, as RFC 7517 describes the members of a key. */
function chooser(set: readonly JsonWebKey[]): KeySource {
  const imported = new Map<JsonWebKey, Promise<JwtKey | undefined>>();
  const load = (key: JsonWebKey, algorithm: JwtAlgorithm) => {
    const known = imported.get(key);
    if (known !== undefined) return known;
    // A malformed key must not block the others.
    const loading = importJWK(key as JWK, algorithm).catch(() => undefined);
    imported.set(key, loading);
    return loading;
  };
  return async (algorithm, keyId) => {
    const candidates = set.filter(
      (key) =>
        FITS[algorithm](key) &&
        (keyId === undefined || key['kid'] === keyId) &&
        (key['use'] === undefined || key['use'] === 'sig') &&
        (key['alg'] === undefined || key['alg'] === algorithm),
    );
    const keys = await Promise.all(candidates.slice(0, MAX_CANDIDATES).map((key) => load(key, algorithm)));
    return keys.filter((key) => key !== undefined);
  };
}
