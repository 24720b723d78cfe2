import { SECRET_LENGTH } from '../config/formats';
import { writeGuard, type Transaction } from '../database/sql';
import { InvalidInputError, NotSupportedError, type Issue } from '../errors';
import { FormatError, secretText, text, textOf, type Format } from '../model/format/format';
import { countAdmins } from './user-store';

// Routr's usernames may be e-mail addresses. A colon would end the name in HTTP Basic authentication (RFC 7617, 2).
const USERNAME = text(100, { pattern: /^[^\s:]+$/, expected: 'a name without spaces and colons' });
const SECRET = secretText(SECRET_LENGTH.max, { min: SECRET_LENGTH.min });

/** Validates the name and secret of a new user. Throws InvalidInputError. */
export function assertUser({ username, secret }: { readonly username: string; readonly secret: string }): void {
  assertValid({ username: [USERNAME, username], secret: [secretFormat(username), secret] });
}

/** Validates a new secret of the user with this name. `field` is what the caller calls it. Throws InvalidInputError. */
export function assertSecret(username: string, secret: string, field = 'secret'): void {
  assertValid({ [field]: [secretFormat(username), secret] });
}

/**
 * Returns why a user cannot choose this secret, or undefined for a valid secret. An import only warns about the reason,
 * because the import keeps existing secrets.
 */
export function weaknessOf(username: string, secret: string): string | undefined {
  try {
    secretFormat(username).parse(secret);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

/** The format of a user's secret, which must differ from the username (ignoring case). */
function secretFormat(username: string): Format {
  return {
    ...SECRET,
    parse: (value) => {
      const secret = SECRET.parse(value);
      if (textOf(secret).trim().toLowerCase() === username.toLowerCase())
        throw new FormatError('is the name of the user');
      return secret;
    },
  };
}

/** Validates the values of several fields. Throws InvalidInputError with all mistakes. */
export function assertValid(values: Readonly<Record<string, readonly [Format, unknown]>>): void {
  const issues: Issue[] = [];
  for (const [field, [format, value]] of Object.entries(values)) {
    try {
      format.parse(value);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      issues.push({ field, path: field, message: error.message });
    }
  }
  if (issues.length > 0) throw new InvalidInputError(issues);
}

/**
 * Runs `work`, and throws NotSupportedError if it removed the last admin. It writes a row first, so that two admins
 * cannot remove each other at the same time: on one server, the second transaction waits for the lock of the row, and
 * on several nodes of a cluster, it fails and runs again.
 */
export async function keepingAnAdmin<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await writeGuard(transaction, 'admin-guard');
  const before = await countAdmins(transaction);
  const result = await work();
  if (before > 0 && (await countAdmins(transaction)) === 0)
    throw new NotSupportedError(
      'The last admin cannot be deleted or given another role: make another user an admin first',
    );
  return result;
}
