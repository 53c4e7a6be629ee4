/** The subprotocol that a browser offers besides the one with its token. */
export const SUBPROTOCOL = 'proffer.v1';

/** The prefix of a WebSocket subprotocol that carries a token in base64url: browsers cannot set headers. */
export const SUBPROTOCOL_TOKEN_PREFIX = 'proffer.token.';

/** The token in an `Authorization: Bearer …` header, or `undefined` if it is another header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}
