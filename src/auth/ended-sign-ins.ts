// Entries are `ref:expiry`, separated by spaces; the expiry is in seconds, in base 36. A column of the user, because it
// is read with the user for each request.

/** The maximum number of entries. Each has at most 17 characters, and the column has 2000. */
export const MAX_ENDED = 100;

/** Whether a list of ended sign-ins contains this one. */
export function hasEnded(ended: string, ref: string): boolean {
  return ended.includes(`${ref}:`);
}

/**
 * Adds a sign-in to the list, and removes those whose tokens have expired. Times are in milliseconds. Returns undefined
 * if the list is full.
 */
export function withEnded(
  ended: string,
  { ref, expiresOn }: { readonly ref: string; readonly expiresOn: number },
  now: number,
): string | undefined {
  const left = ended.split(' ').filter((entry) => parseInt(entry.split(':')[1] ?? '0', 36) * 1000 > now);
  return left.length < MAX_ENDED
    ? [...left, `${ref}:${Math.ceil(expiresOn / 1000).toString(36)}`].join(' ')
    : undefined;
}
