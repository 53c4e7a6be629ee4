import { randomBytes } from 'node:crypto';
import type { OwnCallFacts } from '@proffer/client/own-calls';
import { digestJson } from '@proffer/core';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import { objectAt, textAt } from '../json-rpc.js';
import { CLIENT_KEY } from '../revision.js';

/** The caller, the tool and the arguments: two calls with the same key are the same request. */
export interface CallIdentity {
  readonly principal: string;
  readonly server: string;
  /** Distinguishes the server from another of the same name. */
  readonly identity: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The client, if a guard has several that must not share their calls. */
  readonly scope?: string;
}

/** Identifies the calls of one server. */
export interface CallIds {
  /** The key by which a retry joins. */
  readonly key: (tool: string, args: JsonObject, scope?: string) => string;
  /** The id of a new proposal. */
  readonly next: (key: string) => string;
  /** Whether a proposal is for this very server; another may have the same name. */
  readonly isOwn: (id: string) => boolean;
  /** Whether a proposal is a guard's, for another server. */
  readonly isForeign: (id: string) => boolean;
}

const ALGORITHM = 'sha256:';
const KEY_DIGITS = 24;
const SERVER_DIGITS = 12;

/** Identifies a request. A retry has the same key, so that it joins the waiting call (O-3). */
export function callKey(identity: CallIdentity): string {
  return digits({ ...identity }, KEY_DIGITS);
}

/**
 * Ids for the calls of one server. They name their server, because what an earlier run left behind is only for the same
 * server, even if its caller, and so its key, cannot be recognised.
 */
export function createCallIds(
  about: Pick<CallIdentity, 'principal' | 'server' | 'identity'>,
  now: number,
): CallIds {
  const { principal, server, identity } = about;
  const epoch = createEpochs(now);
  const mark = digits({ server, identity }, SERVER_DIGITS);
  const isMarked = (id: string): boolean => id.split('-')[2] === mark;
  return {
    key(tool, args, scope) {
      const wish = { principal, server, identity, tool, arguments: args };
      return callKey(scope === undefined ? wish : { ...wish, scope });
    },
    next: (key) => `call-${key}-${mark}-${epoch()}`,
    isOwn: (id) => keyOfProposal(id) !== undefined && isMarked(id),
    isForeign: (id) => keyOfProposal(id) !== undefined && !isMarked(id),
  };
}

/** The key in the id of a proposal that a guard made; `undefined` if it is another's. */
export function keyOfProposal(id: string): string | undefined {
  const [, key] = /^call-([0-9a-f]{24})-[0-9a-f]{12}-[0-9a-z]+$/.exec(id) ?? [];
  return key;
}

/**
 * An epoch distinguishes a call from a later one with the same content, made after the first had finished. No other
 * guard and no earlier run has the same epoch, and it cannot be guessed: over HTTP, whoever knows the id of a proposal
 * may ask for its outcome.
 */
function createEpochs(now: number): () => string {
  return () => `${now.toString(36)}${randomBytes(10).toString('hex')}`;
}

function digits(value: JsonObject, count: number): string {
  return digestJson(value).slice(ALGORITHM.length, ALGORITHM.length + count);
}

/**
 * The name under which a tool is proposed and announced. It includes the guard, since two guards may have
 * tools of the same name, and an approval must reach the right one (O-26).
 */
export function qualifiedName(principal: string, server: string, tool: string): string {
  return principal === server ? `${server}/${tool}` : `${principal}/${server}/${tool}`;
}

/** The facts of a guarded call. */
export interface GatedCallFacts extends OwnCallFacts {
  /** A key that is equal for all calls that are joined instead of asked about again. */
  readonly key: string;
  readonly tool: string;
  /** On whose behalf it is made, as far as known. */
  readonly origin?: Origin;
  /** The round of the call, if it is not the first: the caller was asked for more in between (2026-07-28). */
  readonly round?: number;
}

/** The maximum length of a client's description of itself, in characters. */
const LONGEST = 200;

/** The client's name from `clientInfo`: in `initialize`, or in the `_meta` of each request (2026-07-28). */
export function clientIn(params: JsonObject): Origin {
  const own = objectAt(params, 'clientInfo');
  const info = Object.keys(own).length > 0 ? own : objectAt(objectAt(params, '_meta'), CLIENT_KEY);
  return { ...said('client', textAt(info, 'name')), ...said('version', textAt(info, 'version')) };
}

/**
 * What a guard itself knows about a connection: its user, and a session id, so that people can allow
 * something for this session only (O-41).
 *
 * @param isSession - false for a client with single requests
 */
export function aboutConnection(user: string | undefined, isSession: boolean): Origin {
  const session = isSession ? { session: randomBytes(6).toString('hex') } : {};
  return user === undefined ? session : { user, ...session };
}

/** On whose behalf a proposal was made, according to the gateway; `undefined` if it does not say. */
export function originIn({ origin }: JsonObject): Origin | undefined {
  return isJsonObject(origin) ? origin : undefined;
}

/** Whether two are the same client of the same user, whatever its version. */
export function isSameOrigin(one: Origin | undefined, other: Origin | undefined): boolean {
  return one?.client === other?.client && one?.user === other?.user;
}

function said<Key extends keyof Origin>(key: Key, text: string): Pick<Origin, Key> | object {
  const short = text.slice(0, LONGEST).toWellFormed();
  return short === '' ? {} : { [key]: short };
}
