import { failure, type Result, refuse, success } from '@proffer/core';
import { toJson } from '@proffer/core/json';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JwtAlgorithm, JwtConfig } from '../../config/index.js';
import { unauthenticated } from './bearer.js';
import { hasExpiry, type VerifiedClaims } from './jwt-claims.js';
import { createKeySource, type JwtKey } from './jwt-keys.js';

/** Returns the claims of a JWT once it is fully verified; `undefined` if it is not a JWT. */
export type JwtVerifier = (token: string) => Promise<Result<VerifiedClaims> | undefined>;

/**
 * Verifies JWTs: signed with an allowed algorithm by a key of that algorithm's type, from the issuer, for the
 * audience, with `sub` and `exp`, within their times and the clock skew. Refuses with `unauthenticated`, or
 * `unavailable` while the issuer's keys cannot be fetched.
 */
export function createJwtVerifier(config: JwtConfig, now: () => number): JwtVerifier {
  const keysFor = createKeySource(config, now);

  async function verify(
    token: string,
    algorithm: JwtAlgorithm,
    key: JwtKey,
  ): Promise<Result<VerifiedClaims>> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer: config.issuer,
        audience: [...config.audience],
        clockTolerance: config.clockSkew / 1000,
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp'],
      });
      // A copy within the limits of any message: nested at most 64 deep.
      const claims = toJson(payload);
      return claims.ok && hasExpiry(claims.value) ? success(claims.value) : explain(undefined);
    } catch (error) {
      return explain(error);
    }
  }

  return async (token) => {
    const header = readHeader(token);
    if (header === undefined) return undefined;
    const algorithm = config.algorithms.find((allowed) => allowed === header.alg);
    if (algorithm === undefined) {
      return unauthenticated('The JWT is signed with an algorithm that is not allowed here.', {
        expected: config.algorithms,
      });
    }
    let keys: readonly JwtKey[];
    try {
      keys = await keysFor(algorithm, header.kid);
    } catch {
      return failure(refuse('unavailable', "The keys of the JWT's issuer are unavailable."));
    }
    let result: Result<VerifiedClaims> = unauthenticated(
      'The JWT is signed with a key that its issuer does not publish.',
    );
    for (const key of keys) {
      result = await verify(token, algorithm, key);
      if (result.ok || result.refusal.details['reason'] !== 'signature') return result;
    }
    return result;
  };
}

function readHeader(
  token: string,
): { readonly alg?: string | undefined; readonly kid?: string | undefined } | undefined {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return undefined;
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return { alg, kid };
  } catch {
    return undefined;
  }
}

// Never the library's own message: it may contain parts of the token.
function explain(error: unknown) {
  if (error instanceof errors.JWTExpired)
    return unauthenticated('The JWT has expired.', { claim: 'exp', reason: 'expired' });
  if (error instanceof errors.JWTClaimValidationFailed) {
    const what = `The claim ${error.claim} of the JWT is missing or wrong.`;
    return unauthenticated(what, { claim: error.claim, reason: 'claim' });
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return unauthenticated('The signature of the JWT is invalid.', { reason: 'signature' });
  }
  return unauthenticated('The JWT is not valid.', { reason: 'invalid' });
}
