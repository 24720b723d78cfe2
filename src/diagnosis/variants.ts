/** What telephone numbers are made of, as a SIP server finds them. */
export const DIGITS = '0123456789';

/** What the names of hosts and users are mostly made of. */
export const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789.-_';

/**
 * All texts that become this one when a letter is left out, put in or replaced, or swapped with its neighbour. They are looked
 * up by a key: what was meant is found however many names there are, and wherever in the name the mistake is.
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
