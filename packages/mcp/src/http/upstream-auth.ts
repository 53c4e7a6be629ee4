import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { type Challenge, challengeIn, type ForwardedCredential } from '../channel/forwarded-credential.js';
import { requestOf } from '../json-rpc.js';

/** Lets clients of a guard authorize themselves (OAuth) to the server behind it. */
export interface UpstreamAuth {
  /** What the server wants from whoever shows this; `undefined` if it lets them in. */
  challengeFor(authorization: string | undefined): Promise<Challenge | undefined>;
  /** For a channel to the server: what a client shows, as it is at the time. */
  forward(authorization: () => string | undefined): ForwardedCredential;
  /** Where clients authorize themselves (RFC 9728), for a resource at this address. */
  metadata(resource: string): Promise<JsonObject>;
}

/** Credentials whose standing is remembered, at most; their hashes, so that none is kept. */
const MOST_KNOWN = 1_000;
/** How long the server may take to say something about credentials, in milliseconds. */
const PATIENCE = 10_000;

/**
 * @param server - where it is, and the headers that every request to it has
 */
export function createUpstreamAuth(server: {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
}): UpstreamAuth {
  const { url, headers = {} } = server;
  /** Credentials that were let in; with a challenge, those that were refused since, which is to be told once. */
  const known = new Map<string, Challenge | undefined>();
  let metadataUrl: URL | undefined;

  function note(authorization: string | undefined, challenge: Challenge | undefined): void {
    const [oldest] = known.keys();
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(keyOf(authorization), challenge);
  }

  function heard({ text }: Challenge): void {
    const [, written = ''] = RESOURCE_METADATA.exec(text) ?? [];
    const found = URL.canParse(written) ? new URL(written) : undefined;
    // A server speaks for itself only: it must not make us ask elsewhere.
    if (found?.origin === url.origin) metadataUrl = found;
  }

  return {
    async challengeFor(authorization) {
      const key = keyOf(authorization);
      if (known.has(key)) {
        const told = known.get(key);
        known.set(key, undefined);
        return told;
      }
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: JSON.stringify(requestOf('proffer-authorization', 'ping', {})),
        signal: AbortSignal.timeout(PATIENCE),
      }).catch(() => undefined);
      // A server that cannot be reached is reported by the request itself.
      if (response === undefined) return undefined;
      await response.body?.cancel();
      const challenge = challengeIn(response);
      if (challenge === undefined) note(authorization, undefined);
      else heard(challenge);
      return challenge;
    },
    forward: (authorization) => ({
      authorization,
      onChallenge(challenge, shown) {
        heard(challenge);
        note(shown, challenge);
      },
    }),
    async metadata(resource) {
      const path = url.pathname === '/' ? '' : url.pathname;
      const places = [
        ...(metadataUrl === undefined ? [] : [metadataUrl]),
        ...(path === '' ? [] : [new URL(WELL_KNOWN + path, url)]),
        new URL(WELL_KNOWN, url),
      ];
      for (const place of places) {
        const found = await readJson(place);
        if (found !== undefined) return { ...found, resource };
      }
      // Before there was such metadata, a server was its own authorization server.
      return { resource, authorization_servers: [url.origin] };
    },
  };
}

/** Where the metadata of a protected resource is (RFC 9728). */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

const RESOURCE_METADATA = /resource_metadata="([^"]*)"/;

/** A challenge that points to metadata elsewhere, with everything else as the server said it. */
export function pointTo(challenge: string, metadata: string): string {
  const written = `resource_metadata="${metadata}"`;
  if (RESOURCE_METADATA.test(challenge)) return challenge.replace(RESOURCE_METADATA, () => written);
  return `${challenge}${/^\S+$/.test(challenge) ? ' ' : ', '}${written}`;
}

function keyOf(authorization = ''): string {
  return hash('sha256', authorization, 'hex');
}

async function readJson(url: URL): Promise<JsonObject | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' });
    const found: unknown = response.ok ? await response.json() : undefined;
    return isJsonObject(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
