import { quote } from '../errors';

const PLAIN = /^[A-Za-z0-9]*$/;
const SECRET = /pass|pwd|secret|token|key(?!ids?$)|auth|credential|ha1/;

/**
 * Whether a member that the model does not know is named like a secret: `password`, `apiKey`, `SIP_SECRET`, `authToken`.
 * The id of a key is none: `metadata.accessKeyId` says whose a resource is, and clients of Routr v1 filter by it.
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

/** Says of a value that it is no object; a secret in the wrong place is not repeated. */
export function notAnObject(path: string, value: unknown): string {
  return isSecretName(path) ? 'is not an object' : `${quote(value)} is not an object`;
}
