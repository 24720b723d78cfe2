/** The token of an Authorization header (RFC 6750, 2.1). */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
}
