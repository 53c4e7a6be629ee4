import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  textOf,
  textsIn,
} from '@proffer/core/json';
import { ask } from './http.js';
import { keepTokens, type SignInSession } from './session.js';
import type { Tokens } from './tokens.js';

/** A sign-in method, as the gateway offers it. */
export type SignInMethod =
  | { readonly type: 'name'; readonly names: readonly string[] }
  | {
      readonly type: 'oidc';
      readonly issuer: string;
      readonly clientId: string;
      readonly scope: string;
      readonly resource?: string;
    }
  | { readonly type: 'token' }
  /** For phones: only browsers that were paired get in. */
  | { readonly type: 'pairing' };

/** The available sign-in methods, the preferred one first. */
export async function signInMethods(): Promise<readonly SignInMethod[]> {
  const { methods } = await ask('/sign-in');
  return isJsonArray(methods) ? methods.flatMap(readMethod) : [];
}

/** Unknown methods of later versions are left out: there is no UI for them. */
function readMethod(value: JsonValue): readonly SignInMethod[] {
  if (!isJsonObject(value)) return [];
  if (value['type'] === 'token' || value['type'] === 'pairing') return [{ type: value['type'] }];
  if (value['type'] === 'oidc') return readIssuer(value);
  if (value['type'] !== 'name') return [];
  return [{ type: 'name', names: textsIn(value['names']) }];
}

function readIssuer({ issuer, clientId, scope, resource }: JsonObject): readonly SignInMethod[] {
  if (typeof issuer !== 'string' || typeof clientId !== 'string' || typeof scope !== 'string') return [];
  return [{ type: 'oidc', issuer, clientId, scope, ...(typeof resource === 'string' ? { resource } : {}) }];
}

/** Finds the owners of tokens. Rejects with an AskError if the gateway refuses them. */
export async function sessionFor(tokens: Tokens): Promise<SignInSession> {
  const { participant, spaces } = await ask('/whoami', tokens.token);
  const names = isJsonArray(spaces) ? spaces.map((space) => objectOf(space)['name']) : [];
  return {
    tokens: keepTokens(tokens),
    participant: textOf(participant),
    spaces: names.filter((name) => typeof name === 'string'),
  };
}
