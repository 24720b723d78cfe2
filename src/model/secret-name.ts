import { quote } from '../errors';

/** Within the letters and digits of a name. */
const SECRET = /pass|pwd|secret|token|key(?!ids?$)|auth|credential|cookie|jwt|ha1|bearer|signature|digest/;
/** A word of a name. */
const SECRET_WORD = /^(?:pin|pw|psk|pem|t?otp)\d*$/;
const LETTERS = /^[A-Za-z]?[a-z]*$/;

/**
 * Whether a member that the model does not know is named like a secret: `password`, `apiKey`, `SIP_SECRET`,
 * `authToken`, `userPw`, `PIN`. Nobody can compare such a member in a filter, and the history does not keep it. The id
 * of a key is not a secret: clients of Routr v1 filter by `metadata.accessKeyId`, which identifies the owner of a
 * resource.
 */
export function isSecretName(name: string): boolean {
  const words = LETTERS.test(name) ? [name.toLowerCase()] : wordsOf(name);
  return SECRET.test(words.join('')) || words.some((word) => SECRET_WORD.test(word));
}

/** The words of a name in camel case, or with other characters between them. */
function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFKC')
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

/** Returns the error message for a value that should be an object. The message does not repeat what may be a secret. */
export function notAnObject(path: string, value: unknown): string {
  return isSecretName(path) ? 'is not an object' : `${quote(value)} is not an object`;
}
