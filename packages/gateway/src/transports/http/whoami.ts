import type { JsonObject } from '@proffer/core/json';
import type { Principal } from '../../door/index.js';

/** The answer of `GET /whoami`: the participant of a token, and its rights, space by space. */
export function describePrincipal({
  name,
  credential,
  isObserver,
  expiresAt,
  spaces,
}: Principal): JsonObject {
  return {
    participant: name,
    credential,
    observer: isObserver,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    spaces: Array.from(spaces, ([space, { sources }]) => ({ name: space, capabilities: sources })),
  };
}
