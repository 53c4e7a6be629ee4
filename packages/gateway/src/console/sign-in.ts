import type { JsonObject } from '@proffer/core/json';
import type { GatewayConfig } from '../config/index.js';

/**
 * The answer of `GET /sign-in`, before authentication: the ways to sign in, the preferred one first. In dev mode it
 * includes the built-in names; otherwise no names, and nothing else that requires a token.
 */
export function describeSignIn({
  dev,
  participants,
  jwt,
  oidc,
}: Pick<GatewayConfig, 'dev' | 'participants' | 'jwt' | 'oidc'>): JsonObject {
  const names = dev ? [{ type: 'name', names: [...participants.keys()] }] : [];
  const issuer =
    jwt === undefined || oidc === undefined ? [] : [{ type: 'oidc', issuer: jwt.issuer, ...oidc }];
  return { methods: [...names, ...issuer, { type: 'token' }] };
}
