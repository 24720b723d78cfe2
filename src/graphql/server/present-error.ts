import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';

import { DomainError, type Quota } from '../../errors';
import { retryHeaders, retryOf } from '../../http/retry-headers';

/** What every GraphQL error says in `extensions`. */
interface Extensions {
  readonly code: string;
  /** The legacy status (docs/rest-contract.md, section 7). */
  readonly status: number;
  readonly fields?: readonly string[];
  readonly requestId?: string;
  /** Seconds after which it is worth another try. */
  readonly retryAfter?: number;
  /** The limit that was exceeded. */
  readonly quota?: Quota;
}

/** Extensions and message of a failure: a caller's own is told, anything else is logged and hidden. */
export function presentFailure(
  error: unknown,
  requestId: string,
  log: Logger,
): { readonly message: string; readonly extensions: Extensions } {
  if (error instanceof DomainError) {
    const { code, status, issues, message } = error;
    if (error.cause !== undefined) log.warn({ err: error.cause }, message);
    return {
      message,
      extensions: {
        ...{ code, status },
        ...(issues.length > 0 && { fields: issues.map(({ field }) => field) }),
        ...retryOf(error),
      },
    };
  }
  log.error({ err: error }, 'a request failed unexpectedly');
  return { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR', status: 500, requestId } };
}

/** The HTTP status and headers of an answer that tells a caller to come back later. */
export function lateStatus(
  errors: readonly { readonly extensions?: Readonly<Record<string, unknown>> | undefined }[] = [],
): { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined {
  const extensions = errors
    .map((each) => each.extensions)
    .find((each) => [429, 503].includes(Number(each?.['status'])));
  // As presentFailure made them.
  return extensions && { status: Number(extensions['status']), headers: retryHeaders(extensions) };
}

/** A failure outside of a document's fields as the caller gets it. */
export function failureError(error: unknown, requestId: string, log: Logger): GraphQLError {
  const { message, extensions } = presentFailure(error, requestId, log);
  return new GraphQLError(message, { extensions: { ...extensions } });
}

/** An error of an executed document as the caller gets it. */
export function presentError(error: GraphQLError, requestId: string, log: Logger): GraphQLError {
  if (error.path === undefined) return withoutSecrets(error);
  const { message, extensions } = presentFailure(error.originalError ?? error, requestId, log);
  return rebuilt(error, message, extensions);
}

/** How graphql begins to complain of a value that is no string, before it repeats the value. */
const NOT_A_STRING = 'String cannot represent a non string value';

const MISPLACED_TEXT = /^(Syntax Error: .*)(?:Block)?String "[^]*"\.$/;

/** The complaint of a document as it may be told: a number in place of a secret would be repeated, and a text that does not parse. */
export function withoutValues(message: string): string {
  return message.startsWith(NOT_A_STRING) ? NOT_A_STRING : message.replace(MISPLACED_TEXT, '$1a text.');
}

/** A complaint of validation without the names that the schema has in place of a misspelt one. */
export function withoutSuggestions(message: string): string {
  return message.replace(/ Did you mean [^]+\?$/, '');
}

const GOT_INVALID_VALUE = /^(Variable "\$[^"]*") got invalid value ([^]*?)( at "([^"]*)")?; ([^]*)$/;

/** GraphQL repeats a variable's value when it does not fit, and that value may hold a secret. */
function withoutSecrets(error: GraphQLError): GraphQLError {
  const [, variable = '', value = '', at = '', path = '', reason = ''] = GOT_INVALID_VALUE.exec(error.message) ?? [];
  const status = { status: 400 };
  if (variable === '') return rebuilt(error, error.message, status);
  // A text that stands alone in its variable may be one under any name.
  const secret = /secret/i.test(path) || (path === '' && reason.startsWith(NOT_A_STRING));
  // An input that was sent as a text may have a secret in it, too.
  const whole = /^[{[]/.test(value) || reason.endsWith('to be an object.');
  const shown = secret || whole ? 'has an invalid value' : `got invalid value ${value}`;
  return rebuilt(error, `${variable} ${shown}${at}; ${secret ? 'a string is expected' : reason}`, {
    ...status,
    code: 'BAD_USER_INPUT',
    fields: [path.split('.').slice(1).join('.') || variable.slice(variable.indexOf('$') + 1, -1)],
  });
}

function rebuilt(error: GraphQLError, message: string, extensions: object): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = error as Partial<GraphQLError>;
  const made = new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions } });
  // A compiled document's errors know where they are, but not the nodes.
  if (!made.locations && error.locations) {
    Object.defineProperty(made, 'locations', { value: error.locations, enumerable: true });
  }
  return made;
}
