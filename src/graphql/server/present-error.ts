import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

import { DomainError, MAX_NAME, shorten, withoutStack, type Quota } from '../../errors';
import { retryOf } from '../../http/headers';
import type { Caller } from '../context';
import { logFailure } from '../../log';

/** The extensions of every GraphQL error. */
interface Extensions {
  readonly code: string;
  /** The legacy status (docs/rest-contract.md, section 7). */
  readonly status: number;
  readonly fields?: readonly string[];
  /** What is wrong with each field. A field may have several errors. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly requestId?: string;
  /** Seconds after which the request may be retried. */
  readonly retryAfter?: number;
  /** The limit that was exceeded. */
  readonly quota?: Quota;
}

/** The request that an error belongs to. */
type Origin = Pick<Caller, 'requestId' | 'log'>;

/**
 * Returns the message and extensions of a failure. A DomainError is shown to the caller. Any other error is logged and
 * hidden.
 */
export function presentFailure(
  error: unknown,
  { requestId, log }: Origin,
): { readonly message: string; readonly extensions: Extensions } {
  if (error instanceof DomainError) {
    const { code, status, issues, message, facts } = error;
    if (error.cause !== undefined) logFailure(log, error, message, { err: error.cause });
    const fields = [...new Set(issues.map(({ field }) => field))];
    const retry = retryOf(error);
    const errors = issues.map(({ field, message: what }) => ({ path: field, message: what }));
    return { message, extensions: { ...(fields.length > 0 && { fields, errors }), ...facts, code, status, ...retry } };
  }
  log.error({ err: error }, 'request failed unexpectedly');
  return { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR', status: 500, requestId } };
}

/** Presents an error that was thrown outside of a document's fields. */
export function presentThrown(error: unknown, origin: Origin): GraphQLError {
  if (error instanceof GraphQLError) return presentError(error, origin);
  const { message, extensions } = presentFailure(error, origin);
  return withoutStack(() => create(message, extensions));
}

/** Presents an error of an operation: of a field, of a variable, or a rejection. */
function presentError(error: GraphQLError, origin: Origin): GraphQLError {
  if (error.path !== undefined) {
    const { message, extensions } = presentFailure(error.originalError ?? error, origin);
    return rebuild(error, message, extensions);
  }
  return error.extensions['code'] === undefined ? variableError(error) : error;
}

/** Returns the error of an operation that is rejected before execution. */
export function refusal(message: string, code: string, more: Readonly<Record<string, unknown>> = {}): GraphQLError {
  return create(message, { code, status: 400, ...more });
}

/**
 * Presents the errors of a result, of which there may be one for each object. Of many, the last one that is presented
 * says how many are not: it is one after which the request may be retried, if there is any.
 */
export function presentErrors(errors: readonly GraphQLError[], origin: Origin): readonly GraphQLError[] {
  if (errors.length <= MAX_ERRORS) return errors.map((error) => presentError(error, origin));
  const hidden = errors.slice(MAX_ERRORS - 1);
  const last = hidden.find(({ originalError }) => retryOf(originalError).retryAfter !== undefined) ?? hidden[0];
  const shown = [...errors.slice(0, MAX_ERRORS - 1), ...(last ? [last] : [])].map((each) => presentError(each, origin));
  return shown.map((error, index) =>
    index < MAX_ERRORS - 1 ? error : rebuild(error, `${error.message} (and ${String(hidden.length - 1)} more errors)`),
  );
}

/** Returns an error of a document that cannot be parsed or is invalid, without the values in the document. */
export function documentError(error: GraphQLError, code: string, message = error.message): GraphQLError {
  return rebuild(error, withoutValues(message), { code, status: 400 });
}

/** Returns an error of validation without the suggested names, which would describe the schema. */
export function withoutSuggestions(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ Did you mean [^]+\?$/, '');
  return message === error.message ? error : rebuild(error, message);
}

/** graphql repeats a value that is not a string after this text. */
const NOT_A_STRING = 'String cannot represent a non string value';

const MISPLACED_STRING = /^(Syntax Error: .*?)(?:Block)?String "[^]*"\.$/;

/** Removes the value from a message, because a number or a misplaced string may be a secret. */
function withoutValues(message: string): string {
  return message.startsWith(NOT_A_STRING) ? NOT_A_STRING : message.replace(MISPLACED_STRING, '$1a text.');
}

/** What graphql writes of a variable before the reason. */
const GOT_INVALID_VALUE = /^(Variable "\$[^"]*") got invalid value ([^]*?)( at "([^"]*)")?$/;

const MISSING_OR_UNKNOWN = /^Field "(\w+)" (?:of required type|is not defined by type) /;

/** Returns an error of a variable that does not match its type, without the value if it may contain a secret. */
function variableError(error: GraphQLError): GraphQLError {
  const extensions = { status: 400, code: 'BAD_USER_INPUT' };
  // The value, which may be a secret, is between the name and the reason, and may contain anything.
  const reason = error.originalError?.message;
  if (reason === undefined) return rebuild(error, error.message, extensions);
  const [, variable = 'Variable "$"', value = '{', at = '', path = ''] =
    GOT_INVALID_VALUE.exec(error.message.slice(0, -`; ${reason}`.length)) ?? [];
  // Any string can be a secret, regardless of the name of its field.
  const isSecret = /secret/i.test(path) || reason.startsWith(NOT_A_STRING);
  // An input object can contain a secret, even if it was sent as a string.
  const isObject = /^[{[]/.test(value) || reason.endsWith('to be an object.');
  const shown = isSecret || isObject ? 'has an invalid value' : `got invalid value ${value}`;
  const [, member] = MISSING_OR_UNKNOWN.exec(reason) ?? [];
  const place = [...path.split('.').slice(1), ...(member === undefined ? [] : [member])].join('.');
  const field = shorten(place || variable.slice(variable.indexOf('$') + 1, -1), MAX_NAME);
  const what = isSecret ? 'a string is expected' : reason;
  const errors = [{ path: field, message: shorten(what, MAX_NAME) }];
  return rebuild(error, `${variable} ${shown}${at}; ${what}`, { ...extensions, fields: [field], errors });
}

/** Maximum number of errors in a response, and of places in the document that an error names. */
const MAX_ERRORS = 50;
const MAX_PLACES = 10;

/** Every error in a response is created here. */
function create(message: string, extensions: object, options: GraphQLErrorOptions = {}): GraphQLError {
  return new GraphQLError(shorten(message), { ...options, extensions: { ...extensions } });
}

function rebuild(error: GraphQLError, message: string, extensions: object = error.extensions): GraphQLError {
  const { nodes, source, positions, path } = error as Partial<GraphQLError>;
  const made = create(message, extensions, {
    nodes: nodes?.slice(0, MAX_PLACES) ?? null,
    source: source ?? null,
    positions: positions?.slice(0, MAX_PLACES) ?? null,
    path: path ?? null,
  });
  // An error of a compiled operation has locations, but no nodes.
  if (!made.locations && error.locations) {
    Object.defineProperty(made, 'locations', { value: error.locations, enumerable: true });
  }
  return made;
}
