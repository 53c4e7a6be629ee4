import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';

/** A local OpenID provider: anyone signs in with a name, and gets JWTs for the gateway. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
  /** How often a refresh token was used. */
  readonly renewals: () => number;
}

export interface IssuerOptions {
  /** Allowed redirect URIs of the console. */
  readonly redirect: string;
  readonly audience: string;
  /** Lifetime of access tokens, in seconds. */
  readonly lifetime: number;
  /** Claims for a user's access token. */
  readonly claims: (name: string) => Record<string, unknown>;
}

/** Starts one. It is a real `oidc-provider` with its built-in sign-in pages. */
export async function startIssuer({ redirect, audience, lifetime, claims }: IssuerOptions): Promise<Issuer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let renewals = 0;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'proffer-console',
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirect],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        application_type: 'native',
      },
    ],
    scopes: ['openid', 'offline_access'],
    clientBasedCORS: () => true,
    extraTokenClaims: (_: KoaContextWithOIDC, token) => ('accountId' in token ? claims(token.accountId) : {}),
    rotateRefreshToken: true,
    ttl: { AccessToken: lifetime },
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: lifetime,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  provider.on('refresh_token.consumed', () => renewals++);
  server.on('request', provider.callback());
  return {
    url,
    renewals: () => renewals,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
