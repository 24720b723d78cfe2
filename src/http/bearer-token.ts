/** Returns the bearer token of an Authorization header (RFC 6750, 2.1); undefined without one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
}
