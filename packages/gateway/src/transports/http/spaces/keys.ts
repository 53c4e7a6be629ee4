import { mayAllowKeys, registeredKeys } from '@proffer/core/operations';
import type { SpaceCaller } from '../../../operations/index.js';
import { replyJson } from '../reply.js';
import type { HttpCall } from '../router.js';

/** `GET /spaces/{space}/keys`: the keys in force (O-49), and whether the caller may let others register one. */
export function listKeys({ response }: HttpCall, { name, liveSpace, rights }: SpaceCaller): void {
  const { state } = liveSpace.host;
  const current = rights();
  const mayAllow = current.ok && mayAllowKeys(name, current.value);
  replyJson(response, 200, { keys: registeredKeys(state), mayAllow });
}
