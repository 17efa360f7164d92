/** The token of an Authorization header of this scheme (RFC 6750, 2.1), written in any case (RFC 9110, 11.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}
