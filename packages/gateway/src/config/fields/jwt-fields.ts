import { formatPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { listed, type MapTree, type Report, treeToJson } from '@proffer/reading';
import { type JsonWebKey, JWT_ALGORITHMS, type JwtAlgorithm, type JwtConfig } from '../config.js';
import { isLoopback } from '../read/address.js';
import { field, listOf, optional, section, type ValueOf, withDefault } from '../read/field.js';
import { duration } from '../read/quantity.js';
import { choice, scalar, text } from '../read/scalar.js';
import { placeOf } from '../read/tree.js';
import { UNLISTED } from './unlisted-fields.js';

/** The algorithm that a key is for, or `undefined` if it is not supported. */
export function algorithmOf(key: JsonWebKey): JwtAlgorithm | undefined {
  if (key.kty === 'RSA') return 'RS256';
  if (key.kty === 'oct') return 'HS256';
  return key.kty === 'EC' && key['crv'] === 'P-256' ? 'ES256' : undefined;
}

const URL_WANTED = 'an https URL without a password (http only to this machine)';

const keySetUrl = scalar<string>(
  (found) => {
    const url = URL.canParse(found) ? new URL(found) : undefined;
    const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
    const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(host));
    return safe && url?.username === '' && url.password === '' ? { value: found } : { expected: URL_WANTED };
  },
  URL_WANTED,
  'secret',
);

/** A JSON Web Key Set. The keys are never shown. */
const keySet = field<readonly JsonWebKey[]>((tree, path, report) => {
  const set = treeToJson(tree);
  const keys = isJsonObject(set) && isJsonArray(set['keys']) ? set['keys'] : [];
  if (keys.length === 0) {
    report(
      tree.at,
      formatPath(path),
      'This is not a key set; expected `keys` with a list of at least one key.',
    );
    return undefined;
  }
  keys.forEach((key, index) => {
    const fault = faultOf(key);
    if (fault !== undefined) report(tree.at, formatPath([...path, 'keys', index]), fault);
  });
  return (keys as readonly JsonWebKey[]).map(withPlainSecret);
}, 'json');

/** The secret of a key in base64url; padding, and the characters of standard base64, are accepted. */
function secretIn({ k }: JsonObject): string | undefined {
  if (typeof k !== 'string' || !/^[\w+/-]+={0,2}$/.test(k)) return undefined;
  return k.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
}

function withPlainSecret(key: JsonWebKey): JsonWebKey {
  const k = key.kty === 'oct' ? secretIn(key as JsonObject) : undefined;
  return k === undefined ? key : { ...key, k };
}

function faultOf(key: JsonValue): string | undefined {
  if (!isJsonObject(key) || typeof key['kty'] !== 'string')
    return 'A key must be a section with at least `kty`.';
  if (key['kty'] === 'oct') {
    const secret = secretIn(key);
    const bytes = secret === undefined ? 0 : Math.floor((secret.length * 3) / 4);
    return bytes >= 32 ? undefined : 'A secret (kty oct) needs `k`, base64url of at least 32 bytes.';
  }
  return key['d'] === undefined ? undefined : 'This is a private key; the gateway needs only the public key.';
}

/** The keys under `jwt`. */
export const JWT = section({
  issuer: text('the issuer, exactly as in the `iss` claim of its tokens'),
  audience: {
    ...field<readonly string[]>((tree, path, report) => {
      if (tree.kind === 'scalar') {
        const one = text('an audience').read(tree, path, report);
        return one === undefined ? undefined : [one];
      }
      const list = listOf(text('an audience').read, 'audiences').read(tree, path, report);
      if (list?.length === 0)
        report(tree.at, formatPath(path), 'The list is empty; expected at least one audience.');
      return list;
    }, 'list'),
  },
  jwksUrl: optional(keySetUrl),
  jwks: optional(keySet),
  algorithms: optional(listOf(choice(JWT_ALGORITHMS).read, 'algorithms', 'list')),
  clockSkew: withDefault(duration(0, 300_000), 30_000),
  cacheFor: withDefault(duration(1000, 86_400_000), 600_000),
  cooldown: withDefault(duration(1000, 3_600_000), 30_000),
  timeout: withDefault(duration(100, 60_000), 5000),
  unlistedSubjects: optional(UNLISTED),
});

/** JWT settings as written; whether they fit together is checked later. */
type WrittenJwt = ValueOf<typeof JWT>;

/**
 * Completes the JWT settings: exactly one source of keys, and only algorithms for which that source can have
 * keys. A secret key (kty oct) only verifies HS256, and HS256 is only verified with one in the configuration:
 * a secret that can be fetched is not secret.
 */
export function completeJwt(written: WrittenJwt, root: MapTree, report: Report): JwtConfig | undefined {
  const { issuer, audience, jwks, jwksUrl, clockSkew, cacheFor, cooldown, timeout } = written;
  const at = (key: string) => placeOf(root, ['jwt', key]);
  if ((jwks === undefined) === (jwksUrl === undefined)) {
    const both = jwks !== undefined;
    const message = both
      ? 'Both jwks and jwks_url are set; keep one of them.'
      : 'The keys are missing: set jwks_url to the address of the key set, or jwks to the key set itself.';
    report(at('jwks'), 'jwt', message);
    return undefined;
  }
  const possible = new Set<JwtAlgorithm>(
    jwks === undefined ? ['RS256', 'ES256'] : jwks.flatMap((key) => algorithmOf(key) ?? []),
  );
  if (possible.size === 0) {
    report(
      at('jwks'),
      'jwt.jwks',
      'No key fits RS256 (kty RSA), ES256 (kty EC with crv P-256) or HS256 (kty oct).',
    );
    return undefined;
  }
  const algorithms = written.algorithms ?? [...possible];
  const impossible = algorithms.filter((algorithm) => !possible.has(algorithm));
  if (impossible.length > 0 || algorithms.length === 0) {
    const why = jwks === undefined ? 'A key set from an address' : 'The key set';
    report(at('algorithms'), 'jwt.algorithms', `${why} can only be used with ${listed(possible)}.`);
    return undefined;
  }
  const keys = jwksUrl === undefined ? { inline: jwks ?? [] } : { url: jwksUrl };
  return { issuer, audience, keys, algorithms, clockSkew, cacheFor, cooldown, timeout };
}
