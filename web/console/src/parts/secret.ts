const SECRET_LENGTH = 24;
// Without characters that are easily confused, or that provisioning files quote.
const SECRET_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/**
 * Returns a new secret for a device. Each letter is equally likely: numbers above the last multiple of their count are
 * drawn again.
 */
export function randomSecret(): string {
  const limit = 256 - (256 % SECRET_LETTERS.length);
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    const [number = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (number < limit) secret += SECRET_LETTERS.charAt(number % SECRET_LETTERS.length);
  }
  return secret;
}
