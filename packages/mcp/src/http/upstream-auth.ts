import { hash } from 'node:crypto';
import { defined, isJsonObject, type JsonObject } from '@proffer/core/json';
import { type Challenge, challengeIn, type ForwardedCredential } from '../channel/forwarded-credential.js';
import { requestOf } from '../json-rpc.js';

/** Lets clients of a guard authorize (OAuth) with the server behind it. */
export interface UpstreamAuth {
  /** The server's challenge for this credential; `undefined` if it is accepted. */
  challengeFor(authorization: string | undefined): Promise<Challenge | undefined>;
  /** For a channel to the server: a client's current credential. */
  forward(authorization: () => string | undefined): ForwardedCredential;
  /** Where clients authorize (RFC 9728), for a resource at this address. */
  metadata(resource: string): Promise<JsonObject>;
}

/** The maximum number of remembered credentials; stored as hashes. */
const MAX_KNOWN = 1_000;
/** Timeout for the server's response to credentials, in milliseconds. */
const TIMEOUT = 10_000;

/** @param server - its address, and the headers of every request to it */
export function createUpstreamAuth(server: {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
}): UpstreamAuth {
  const { url, headers = {} } = server;
  /** Accepted credentials; with a challenge, those that were rejected since, which is reported once. */
  const known = new Map<string, Challenge | undefined>();
  let metadataUrl: URL | undefined;

  function note(authorization: string | undefined, challenge: Challenge | undefined): void {
    const [oldest] = known.keys();
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(keyOf(authorization), challenge);
  }

  function heard({ text }: Challenge): void {
    const [, written = ''] = RESOURCE_METADATA.exec(text) ?? [];
    const found = URL.canParse(written) ? new URL(written) : undefined;
    // A server speaks only for itself: it must not make us send requests elsewhere.
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
          ...defined({ authorization }),
        },
        body: JSON.stringify(requestOf('proffer-authorization', 'ping', {})),
        signal: AbortSignal.timeout(TIMEOUT),
      }).catch(() => undefined);
      // An unreachable server is reported by the request itself.
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
      // Before such metadata existed, a server was its own authorization server.
      return { resource, authorization_servers: [url.origin] };
    },
  };
}

/** Where the metadata of a protected resource is (RFC 9728). */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

const RESOURCE_METADATA = /resource_metadata="([^"]*)"/;

/** A challenge that points to our metadata, with everything else unchanged. */
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
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' });
    const found: unknown = response.ok ? await response.json() : undefined;
    return isJsonObject(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
