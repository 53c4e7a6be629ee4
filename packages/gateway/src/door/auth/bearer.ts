import { failure, type Refusal, refuse } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';

/** A refusal for an unauthenticated caller. The message never contains any of the credential. */
export function unauthenticated(
  what: string,
  details: JsonObject = {},
): { readonly ok: false; readonly refusal: Refusal } {
  return failure(refuse('unauthenticated', what, details));
}

/** The subprotocol that a browser offers besides the one with its token. */
export const SUBPROTOCOL = 'proffer.v1';

/** The prefix of a WebSocket subprotocol that carries a token in base64url: browsers cannot set headers. */
export const SUBPROTOCOL_TOKEN_PREFIX = 'proffer.token.';

/** The token in an `Authorization: Bearer …` header, or `undefined` if it is another header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}
