/** Returns a random id. Browsers lack `crypto.randomUUID` in pages that were loaded over plain HTTP. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
