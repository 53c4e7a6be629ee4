import type { JsonObject } from '@proffer/core/json';
import type { Principal } from '../../door/index.js';

/** What `GET /whoami` says: the participant that a token stands for, and what it may do, space by space. */
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
