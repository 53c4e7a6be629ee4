import { defined } from '@proffer/core/json';
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { go, readRoute } from '../state/route.js';
import type { SignInMethod } from './methods.js';
import type { Tokens } from './tokens.js';

/** An OpenID issuer, as the gateway names it. */
export type OidcMethod = Extract<SignInMethod, { type: 'oidc' }>;

/** What is needed when the issuer redirects back. It stays in this tab. */
interface Begun {
  readonly state: string;
  readonly verifier: string;
  /** Where to continue. */
  readonly path: string;
}

const KEY = 'proffer.oidc';
/** How long before expiry it is renewed, in milliseconds. */
const EARLY = 30_000;

/** Redirects to the issuer's page. Returns only with an error. */
export async function leaveForIssuer(method: OidcMethod): Promise<never> {
  const server = await discover(method);
  if (server.authorization_endpoint === undefined)
    throw new Error('The identity provider has no sign-in page. Ask the operator.');
  const begun: Begun = {
    state: generateRandomState(),
    verifier: generateRandomCodeVerifier(),
    path: location.pathname + location.search,
  };
  sessionStorage.setItem(KEY, JSON.stringify(begun));
  const address = new URL(server.authorization_endpoint);
  const { clientId, scope, resource } = method;
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: returnAddress(),
    scope,
    state: begun.state,
    code_challenge: await calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
    // A refresh token is only issued with the user's consent.
    ...(scope.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
    ...defined({ resource }),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  location.assign(address);
  return await new Promise(() => {});
}

/** Whether the issuer has just redirected back here. */
export function isBackFromIssuer(): boolean {
  const query = new URLSearchParams(location.search);
  return sessionStorage.getItem(KEY) !== null && (query.has('code') || query.has('error'));
}

/** Exchanges the code from the issuer for tokens. Rejects with a readable error. */
export async function finishSignIn(method: OidcMethod): Promise<Tokens> {
  const begun = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Begun>;
  sessionStorage.removeItem(KEY);
  const query = new URLSearchParams(location.search);
  // The code works once, and does not belong in the browser's history.
  go(readRoute(begun.path ?? '/console/'), { replace: true });
  const server = await discover(method);
  const client: Client = { client_id: method.clientId };
  try {
    const answer = validateAuthResponse(server, client, query, begun.state);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      None(),
      answer,
      returnAddress(),
      begun.verifier ?? '',
      optionsFor(method),
    );
    return tokensOf(await processAuthorizationCodeResponse(server, client, response), {
      method,
      server,
      client,
    });
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError)) throw error;
    throw new Error(error.error_description ?? `The identity provider answered ${error.error}.`, {
      cause: error,
    });
  }
}

interface At {
  readonly method: OidcMethod;
  readonly server: AuthorizationServer;
  readonly client: Client;
}

/** The refresh token is only kept here: it is gone when the page is closed. */
function tokensOf({ access_token, expires_in, refresh_token }: TokenEndpointResponse, at: At): Tokens {
  const renewAt = expires_in === undefined ? undefined : Date.now() + expires_in * 1_000 - EARLY;
  if (refresh_token === undefined || renewAt === undefined) return { token: access_token };
  return {
    token: access_token,
    renewAt,
    renew: async () => {
      const { method, server, client } = at;
      const options = {
        ...optionsFor(method),
        ...(method.resource === undefined ? {} : { additionalParameters: { resource: method.resource } }),
      };
      const response = await refreshTokenGrantRequest(server, client, None(), refresh_token, options);
      const renewed = await processRefreshTokenResponse(server, client, response);
      // An issuer that does not rotate keeps the old one.
      return tokensOf({ refresh_token, ...renewed }, at);
    },
  };
}

async function discover(method: OidcMethod): Promise<AuthorizationServer> {
  const issuer = new URL(method.issuer);
  const response = await discoveryRequest(issuer, optionsFor(method)).catch(() => {
    throw new Error(`${issuer.host}, where you sign in, is not responding.`);
  });
  return await processDiscoveryResponse(issuer, response);
}

/** The gateway accepts an issuer without TLS only on its own machine. */
function optionsFor({ issuer }: OidcMethod) {
  return { [allowInsecureRequests]: issuer.startsWith('http:') };
}

function returnAddress(): string {
  return `${location.origin}/console/`;
}
