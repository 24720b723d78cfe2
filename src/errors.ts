import { CONTROL, escapeOf } from './spelling/invisible';

/**
 * A stable, machine-readable error code. GraphQL returns it as `extensions.code`. REST derives the message of the
 * response from the code.
 */
export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'NOT_SUPPORTED'
  | 'CONFLICT'
  | 'UNFULFILLED_DEPENDENCY'
  | 'DEPENDENT_OBJECTS'
  | 'CURSOR_GONE'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

/** The problem with one field: `field` is its GraphQL name, `path` its path in the legacy document. */
export interface Issue {
  readonly field: string;
  readonly path: string;
  readonly message: string;
}

/** Maximum number of bytes of an error message, on every transport and in the log. */
const MAX_MESSAGE = 2000;
/** Maximum number of issues of an error, and of bytes of their names and messages. */
const MAX_ISSUES = 20;
export const MAX_NAME = 200;
const MAX_ISSUE = 500;

/** Shortens a text to a number of bytes of UTF-8, by default those of an error message. Keeps its start and its end. */
export function shorten(text: string, max = MAX_MESSAGE): string {
  // A character has at most three bytes, or four for two characters of a string.
  if (text.length * 3 <= max || (text.length <= max && Buffer.byteLength(text) <= max)) return text;
  const tail = Math.floor(max / 3);
  const head = max - tail - DOTS.length;
  // A character that is cut in two becomes a replacement character.
  const start = Buffer.from(text.slice(0, head))
    .subarray(0, head)
    .toString()
    .replace(/\uFFFD+$/, '');
  const end = Buffer.from(text.slice(-tail))
    .subarray(-tail)
    .toString()
    .replace(/^\uFFFD+/, '');
  return `${start}${DOTS}${end}`;
}

const DOTS = '...';

/** Returns the first issues, each shortened, and in the last one the number of those that are left out. */
function firstOf(issues: readonly Issue[]): readonly Issue[] {
  const hidden = issues.length - MAX_ISSUES;
  return issues.slice(0, MAX_ISSUES).map(({ field, path, message }, index) => ({
    field: shorten(field, MAX_NAME),
    path: shorten(path, MAX_NAME),
    message: `${shorten(message, MAX_ISSUE)}${hidden > 0 && index === MAX_ISSUES - 1 ? ` (and ${String(hidden)} more)` : ''}`,
  }));
}

/**
 * An expected error: the caller caused it, or can retry the request. The caller sees its message. The message of any
 * other error is hidden.
 */
export class DomainError extends Error {
  /** What is wrong with which fields. A long list is cut. */
  readonly issues: readonly Issue[];

  constructor(
    readonly code: ErrorCode,
    /** The status in docs/rest-contract.md, section 7, which includes 4091 and 4092; otherwise the HTTP status. */
    readonly status: number,
    message: string,
    issues: readonly Issue[] = [],
    options?: ErrorOptions,
  ) {
    super(shorten(message), options);
    this.name = new.target.name;
    this.issues = firstOf(issues);
  }

  /** The entry of a list that caused the error, if the input was a list. */
  readonly entry: string | undefined;
  /** Seconds after which the same request may succeed, if known. */
  readonly retryAfter: number | undefined;
  /** Whether the caller did not cause the error, so that the same request may succeed later. */
  get mayPass(): boolean {
    return this.retryAfter !== undefined;
  }

  /** Further facts for programs, which GraphQL adds to `extensions`. They are bounded and have no secrets. */
  readonly facts: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Runs `work`, which may be asynchronous, for one entry of a list, and returns its result. If `work` throws a
 * DomainError that the entry caused, the entry is added to the message and to the paths of the error.
 */
export function inEntry<T>(entry: string, work: () => T): T {
  const locate = (error: unknown): unknown =>
    // An error that may pass is not caused by the entry.
    error instanceof DomainError && !error.mayPass ? withEntry(error, entry) : error;
  try {
    const result = work();
    return result instanceof Promise
      ? (result.catch((error: unknown) => {
          throw locate(error);
        }) as T)
      : result;
  } catch (error) {
    throw locate(error);
  }
}

function withEntry({ code, status, message, issues }: DomainError, entry: string): DomainError {
  const placed = issues.map((issue) => ({ ...issue, path: `${entry}.${issue.path}` }));
  const error = new DomainError(code, status, `${entry}: ${message}`, placed);
  return Object.assign(error, { entry });
}

/** The input is invalid. Nothing was changed. */
export class InvalidInputError extends DomainError {
  constructor(issues: readonly Issue[]) {
    super('BAD_USER_INPUT', 400, join(issues), issues);
  }

  /** For a value that has the same name in GraphQL and REST. */
  static of(field: string, message: string): InvalidInputError {
    return new InvalidInputError([{ field, path: field, message }]);
  }
}

/** The token is missing or invalid, or the name or secret is wrong. */
export class UnauthenticatedError extends DomainError {
  constructor(message = 'A valid token is required') {
    super('UNAUTHENTICATED', 401, message);
  }
}

function join(issues: readonly Issue[]): string {
  return firstOf(issues)
    .map(({ field, message }) => `${field}: ${message}`)
    .join('; ');
}

/** The user's role does not permit the operation. */
export class ForbiddenError extends DomainError {
  constructor(message: string) {
    super('FORBIDDEN', 403, message);
  }
}

/** The object that the caller refers to does not exist. */
export class NotFoundError extends DomainError {
  /** `argument` is the name of the argument that refers to the object, by default `ref`. */
  constructor(thing: string, ref: string, argument?: string) {
    const message = `${quote(ref)} does not exist`;
    super('NOT_FOUND', 404, `${thing} ${message}`, [
      { field: argument ?? 'ref', path: argument ?? 'metadata.ref', message },
    ]);
  }
}

/** A resource with the same ref or natural key already exists. */
export class ConflictError extends DomainError {
  constructor(message: string, issues: readonly Issue[]) {
    super('CONFLICT', 409, message, issues);
  }
}

/** There are as many things of a kind as there may be. The message says how to make room for another one. */
export class LimitReachedError extends DomainError {
  constructor(message: string) {
    super('CONFLICT', 409, message);
  }
}

/** The idempotency key of the request was used for another request, so this one was not processed. */
export class KeyReusedError extends DomainError {
  constructor(header: string) {
    const message = 'was already used for another request';
    super('BAD_USER_INPUT', 422, `${header}: ${message}`, [{ field: header, path: header, message }]);
  }
}

/** A resource that the input refers to does not exist (docs/rest-contract.md, section 4.3, rule 1). */
export class UnfulfilledDependencyError extends DomainError {
  constructor(issues: readonly Issue[]) {
    super('UNFULFILLED_DEPENDENCY', 4091, join(issues), issues);
  }
}

/** A resource that refers to another one. */
export interface Dependent {
  readonly kind: string;
  readonly ref: string;
  /** The reference of the other one. */
  readonly of: string;
}

/** The resource cannot be deleted while others refer to it. `dependents` are some of them. */
export class DependentObjectsError extends DomainError {
  override readonly facts: { readonly dependents: readonly Dependent[] };

  constructor(message: string, dependents: readonly Dependent[]) {
    super('DEPENDENT_OBJECTS', 4092, message);
    this.facts = { dependents };
  }
}

/** The events after a cursor are not available, and never will be. */
export class CursorGoneError extends DomainError {
  constructor(argument: string, reason: string) {
    const message = `${reason}: read the current state, and subscribe without it`;
    super('CURSOR_GONE', 410, `${argument}: ${message}`, [{ field: argument, path: argument, message }]);
  }
}

/** The operation is not supported (docs/rest-contract.md, section 7). */
export class NotSupportedError extends DomainError {
  constructor(message: string) {
    super('NOT_SUPPORTED', 405, message);
  }
}

/** A rate limit that was exceeded: `points` per `seconds`. */
export interface Quota {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** The caller has exceeded a rate limit. The request was not processed. */
export class RateLimitedError extends DomainError {
  constructor(
    message: string,
    /** Seconds after which the caller may retry. */
    override readonly retryAfter: number,
    readonly quota?: Quota,
  ) {
    super('RATE_LIMITED', 429, `${message}; try again in ${String(retryAfter)} s`);
  }
}

/**
 * Creates the error of a refusal without a stack trace. Stack traces would take a fifth of the time of a refusal, of
 * which an overloaded process sends thousands in a second.
 */
export function withoutStack<T extends Error>(create: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The server is overloaded. The same request may succeed later. */
export class OverloadedError extends DomainError {
  constructor(
    /** Seconds after which the caller may retry. */
    override readonly retryAfter: number,
  ) {
    super('UNAVAILABLE', 503, `The server is overloaded; try again in ${String(retryAfter)} s`);
  }
}

/** A service that the request depends on cannot be reached or used. The same request may succeed later. */
export class UnavailableError extends DomainError {
  override readonly retryAfter: number | undefined = 5;

  constructor(
    what: 'The database' | 'The SIP server',
    options?: ErrorOptions,
    problem = 'cannot be reached',
    advice = 'try again later',
  ) {
    super('UNAVAILABLE', 503, `${what} ${problem}; ${advice}`, [], options);
  }
}

/** The database refused a statement for a reason that may pass: it is busy, full, read-only or without a quorum. */
export class DatabaseRefusedError extends UnavailableError {
  constructor(options?: ErrorOptions, problem = 'cannot complete the request', advice?: string) {
    super('The database', options, problem, advice);
  }
}

/** The database refused a statement, because its user lacks a privilege. It does not pass by itself. */
export class DeniedError extends DatabaseRefusedError {
  override readonly retryAfter = undefined;

  constructor(
    /** What is lacking, for the operator alone. */
    readonly privilege: string,
    options?: ErrorOptions,
  ) {
    super(options, 'refuses a privilege to the user in DATABASE_URL', 'the operator must grant it');
  }

  override get mayPass(): boolean {
    return true;
  }
}

/** A query exceeded its time limit. */
export class TooSlowError extends DomainError {
  override readonly retryAfter = 8;
  /** The same query takes as long again, so programs should not repeat it by themselves. */
  override readonly facts = { timedOut: true };

  constructor(options?: ErrorOptions) {
    super('UNAVAILABLE', 503, 'The query timed out; narrow the filter, or try again later', [], options);
  }
}

/** Too many heavy queries are waiting, in total or for this user. */
export class BusyError extends DomainError {
  override readonly retryAfter = 8;

  constructor() {
    super('UNAVAILABLE', 503, 'Too many heavy queries are waiting; narrow the filter, or try again later');
  }
}

/** The request took too long, and its reads were cancelled. */
export class RequestTimeoutError extends DomainError {
  override readonly retryAfter = 5;

  constructor(seconds: number) {
    super('UNAVAILABLE', 503, `The request took longer than ${String(seconds)} s; request less, or try again later`);
  }
}

/** Formats a value from a request for a message: quoted, escaped and truncated. */
export function quote(value: unknown): string {
  const json = value === undefined ? 'nothing' : JSON.stringify(value);
  // JSON leaves those from U+007F on as they are.
  const text = json.replace(CONTROL, (each) => escapeOf(each.charCodeAt(0)));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
