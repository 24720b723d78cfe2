/** The alphabet of telephone numbers without formatting. */
export const DIGITS = '0123456789';

/** The common alphabet of host and user names. */
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789.-_';

/**
 * All strings that differ from this one by one inserted, missing, replaced or transposed character. Looking them up by
 * key finds a typing error at any position, at a cost that does not depend on how many names there are.
 */
export function variantsOf(text: string, alphabet: string): readonly string[] {
  const variants = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
    for (const letter of alphabet) {
      variants.add(before + letter + here + after);
      if (here !== '') variants.add(before + letter + after);
    }
    variants.add(before + after);
    variants.add(before + after.slice(0, 1) + here + after.slice(1));
  }
  variants.delete(text);
  variants.delete('');
  return [...variants];
}
