import type { JsonObject } from '@proffer/core/json';
import type { GatewayConfig } from '../config/index.js';

/**
 * What `GET /sign-in` says to somebody whom the gateway does not know yet: in which ways one can say who one is, the
 * one to offer first at the beginning. In dev mode the names that are there without being configured; elsewhere no name
 * and nothing else that a token would be needed for.
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
