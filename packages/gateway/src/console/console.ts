import type { JsonObject } from '@proffer/core/json';
import type { GatewayConfig } from '../config/index.js';
import { type ConsolePages, createConsolePages } from './pages.js';

/** The gateway's part of the console: the sign-in methods, and its pages if they are served. */
export interface Console {
  readonly signIn: JsonObject;
  readonly pages?: ConsolePages;
}

/** @param folder - with the console's files. Throws if there is no console in it */
export function createConsole(config: GatewayConfig, folder: string | undefined): Console {
  const signIn = describeSignIn(config);
  if (folder === undefined) return { signIn };
  const { jwt, oidc } = config;
  const issuers = jwt === undefined || oidc === undefined ? [] : [new URL(jwt.issuer).origin];
  return { signIn, pages: createConsolePages(folder, issuers) };
}

/**
 * The answer of `GET /sign-in`, before authentication: the ways to sign in, the preferred one first. In dev mode it
 * includes the built-in names; otherwise no names, and nothing else that requires a token.
 */
function describeSignIn({
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
