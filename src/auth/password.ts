import { hash, verify } from '@node-rs/argon2';

// OWASP's second recommended set for argon2id: 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, with its parameters and salt (RFC 9106). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** Whether the password is the hash's. */
export function isPassword(password: string, hashed: string): Promise<boolean> {
  return verify(hashed, password);
}
