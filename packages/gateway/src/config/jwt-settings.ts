import { listed, type MapTree, type Report } from '@proffer/reading';
import type { JwtAlgorithm, JwtConfig } from './config.js';
import { algorithmOf, type WrittenJwt } from './fields/jwt-fields.js';
import { placeOf } from './read/tree.js';

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
    report(at('algorithms'), 'jwt.algorithms', `${why} can be used with ${listed(possible)} only.`);
    return undefined;
  }
  const keys = jwksUrl === undefined ? { inline: jwks ?? [] } : { url: jwksUrl };
  return { issuer, audience, keys, algorithms, clockSkew, cacheFor, cooldown, timeout };
}
