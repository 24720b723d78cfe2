import { quote } from '../errors';

const PLAIN = /^[A-Za-z0-9]*$/;
const SECRET = /pass|pwd|secret|token|key(?!ids?$)|auth|credential|ha1|cookie|jwt|^pin$|^otp$/;

/**
 * Whether a member that the model does not know is named like a secret: `password`, `apiKey`, `SIP_SECRET`,
 * `authToken`, `PIN`. resources/secret-members.ts hides such members. The id of a key is not a secret: clients of
 * Routr v1 filter by `metadata.accessKeyId`, which identifies the owner of a resource.
 */
export function isSecretName(name: string): boolean {
  return SECRET.test(PLAIN.test(name) ? name.toLowerCase() : plain(name));
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the error message for a value that should be an object. The message does not repeat what may be a secret. */
export function notAnObject(path: string, value: unknown): string {
  return isSecretName(path) ? 'is not an object' : `${quote(value)} is not an object`;
}
