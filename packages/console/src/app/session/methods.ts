import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core';
import { ask } from './http.js';
import type { Session } from './session.js';

/** A way to say who one is, as the gateway offers it. */
export type SignInMethod =
  | { readonly type: 'name'; readonly names: readonly string[] }
  | { readonly type: 'token' };

/** The ways in which one can sign in here, the one to offer first at the beginning. */
export async function signInMethods(): Promise<readonly SignInMethod[]> {
  const { methods } = await ask('/sign-in');
  return isJsonArray(methods) ? methods.flatMap(readMethod) : [];
}

/** Those of a later version are left out: there is nothing to show for them. */
function readMethod(value: JsonValue): readonly SignInMethod[] {
  if (!isJsonObject(value)) return [];
  if (value['type'] === 'token') return [{ type: 'token' }];
  if (value['type'] !== 'name') return [];
  return [{ type: 'name', names: textsIn(value['names']) }];
}

/** Finds out whom a token stands for. Fails with an AskError when the gateway does not take it. */
export async function sessionFor(token: string): Promise<Session> {
  const { participant, spaces } = await ask('/whoami', token);
  const names = isJsonArray(spaces)
    ? spaces.map((space) => (isJsonObject(space) ? space['name'] : undefined))
    : [];
  return {
    token,
    participant: typeof participant === 'string' ? participant : '',
    spaces: names.filter((name) => typeof name === 'string'),
  };
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
