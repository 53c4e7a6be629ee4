/** The token in an `Authorization: Bearer …` header, or nothing if that is not what the header is. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
}
