import { hash, verify } from '@node-rs/argon2';

// OWASP's second recommended set for argon2id: 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id (RFC 9106); the result contains the parameters and the salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** Whether the password matches the hash. */
export function isPassword(password: string, hashed: string): Promise<boolean> {
  return verify(hashed, password);
}
