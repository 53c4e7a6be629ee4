import { timingSafeEqual } from 'node:crypto';
import { type Result, success } from '@proffer/core';
import type { GatewayConfig, ParticipantConfig, TokenConfig } from '../../config/index.js';
import { digestToken, TOKEN_PREFIX } from '../../token.js';
import { unauthenticated } from './bearer.js';
import { type CallerIdentity, compileSpaces, createCallerIdentity } from './caller-identity.js';

/** The tokens of a configuration, by hash. */
export interface StaticTokens {
  /** The caller of a token; `undefined` if the token is of another kind. */
  readonly resolve: (token: string) => Result<CallerIdentity> | undefined;
  /** The caller of a credential id, or `undefined` if its token is gone. */
  readonly find: (credential: string) => CallerIdentity | undefined;
  /** The credential id of each hash, for the table that replaces this one. */
  readonly ids: ReadonlyMap<string, string>;
}

interface Entry {
  readonly digest: Buffer;
  readonly identity: CallerIdentity;
}

/**
 * Recognises configured tokens, and refuses those that look like ours but are not configured.
 *
 * @param known - the ids of the previous table: a token keeps its id, and an id is never reused for another
 * token
 */
export function createStaticTokens(config: GatewayConfig, known: ReadonlyMap<string, string>): StaticTokens {
  const ids = assignIds(config.tokens, known);
  const compiled = new Map<string, CallerIdentity['spaces']>();
  const spacesOf = (name: string) => {
    const participant = config.participants.get(name);
    const spaces = compiled.get(name) ?? compileSpaces(participant ?? NO_RIGHTS);
    compiled.set(name, spaces);
    return spaces;
  };
  const byPrefix = new Map<string, Entry[]>();
  const byId = new Map<string, CallerIdentity>();
  for (const token of config.tokens) {
    const identity = principalOf(token, ids.get(token.hash) ?? '', config, spacesOf(token.participant));
    const digest = Buffer.from(token.hash, 'hex');
    byPrefix.set(prefixOf(digest), [...(byPrefix.get(prefixOf(digest)) ?? []), { digest, identity }]);
    byId.set(identity.credential, identity);
  }

  return {
    resolve: (token) => {
      const digest = digestToken(token);
      // Finding the bucket takes a time that depends on the hash; its entries are compared in constant time.
      const shelf = byPrefix.get(prefixOf(digest)) ?? [];
      const entry = shelf.find((candidate) => timingSafeEqual(candidate.digest, digest));
      if (entry !== undefined) return success(entry.identity);
      if (!token.startsWith(TOKEN_PREFIX)) return undefined;
      return unauthenticated('The token is unknown or was revoked.');
    },
    find: (credential) => byId.get(credential),
    ids,
  };
}

const prefixOf = (digest: Buffer) => digest.toString('hex', 0, 4);

function principalOf(
  { participant: name, negotiation }: TokenConfig,
  credential: string,
  config: GatewayConfig,
  spaces: CallerIdentity['spaces'],
): CallerIdentity {
  const participant = config.participants.get(name);
  const rights = { ...(participant ?? NO_RIGHTS), negotiation };
  return {
    ...createCallerIdentity(name, credential, rights, spaces),
    isConfigured: participant !== undefined,
  };
}

/** Of a sender in a MACP token list that is not a participant: it only negotiates. */
const NO_RIGHTS: Omit<ParticipantConfig, 'negotiation'> = {
  spaces: new Map(),
  observer: false,
  runsOwnCalls: false,
  reviewOnly: false,
  roles: [],
};

/** `token:NAME#1`, `#2`, …: reveals nothing about the token, not even its hash, which would expose a weak one. */
function assignIds(
  tokens: readonly TokenConfig[],
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const highest = new Map<string, number>();
  for (const id of known.values()) {
    const { name, number } = readId(id);
    highest.set(name, Math.max(highest.get(name) ?? 0, number));
  }
  // Ids of revoked tokens stay reserved, or the next new token would get one of them.
  const ids = new Map(known);
  for (const { hash, participant } of tokens) {
    const id = ids.get(hash);
    if (id !== undefined && readId(id).name === participant) continue;
    const number = (highest.get(participant) ?? 0) + 1;
    highest.set(participant, number);
    ids.set(hash, `token:${participant}#${number}`);
  }
  return ids;
}

function readId(id: string): { readonly name: string; readonly number: number } {
  const [, name = '', number = '0'] = /^token:(.*)#(\d+)$/s.exec(id) ?? [];
  return { name, number: Number(number) };
}
