import { ForbiddenError, NotSupportedError, quote } from '../errors';
import type { TrustedDocuments } from './trusted-documents';

/** Permissions: viewers read, operators also write resources, admins also manage users. */
export const ROLES = ['admin', 'operator', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** An authenticated user. */
export interface Viewer {
  readonly ref: string;
  readonly username: string;
  readonly role: Role;
  /** The sign-in whose token the request has; undefined for an API token, and for tokens of earlier versions. */
  readonly session?: string | undefined;
  /** The API token of the request; undefined after a sign-in. */
  readonly apiToken?: {
    readonly ref: string;
    /** The number of the token among those of its owner, which identifies its budget. */
    readonly slot: number;
    /** Whether its role is lower than that of its owner. */
    readonly isLesser: boolean;
    /** The only documents that it may send. Undefined if it may send any. */
    readonly documents?: TrustedDocuments;
  };
}

/** Whether `role` includes the permissions of `needed`. */
export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}

/** Returns the role with fewer permissions. */
export function lowerRole(one: Role, other: Role): Role {
  return mayAct(one, other) ? other : one;
}

/** Converts the role of a stored row. Throws if it is unknown. */
export function toRole(value: unknown): Role {
  const role = ROLES.find((each) => each === value);
  if (!role) throw new Error(`a stored user has the role ${quote(value)}; expected one of ${ROLES.join(', ')}`);
  return role;
}

/** Throws ForbiddenError unless the viewer's role includes the permissions of `needed`. */
export function assertRole({ role }: Viewer, needed: Role): void {
  if (!mayAct(role, needed))
    throw new ForbiddenError(`This operation requires the role ${needed}; your role is ${role}`);
}

/** Throws ForbiddenError for an API token. */
export function assertSignedIn({ apiToken }: Viewer): void {
  if (apiToken)
    throw new ForbiddenError('This operation requires a sign-in with name and secret: an API token cannot do it');
}

/**
 * Throws ForbiddenError for an API token with a lower role than its owner's: it must not see or change the account.
 */
export function assertOwnAccount({ apiToken }: Viewer): void {
  if (apiToken?.isLesser)
    throw new ForbiddenError("This operation requires an API token with its user's role, or a sign-in");
}

/** Throws ForbiddenError for an API token with documents, unless `document` is one of them. */
export function assertListed({ apiToken }: Viewer, document: string): void {
  if (apiToken?.documents?.has(document) === false)
    throw new ForbiddenError('This API token may only send the documents with which it was created');
}

/** Returns the document of an API token with this hash. Throws ForbiddenError if none of its documents has it. */
export function listedText({ apiToken }: Viewer, hash: string): string {
  const text = apiToken?.documents?.textOf(hash);
  if (text !== undefined) return text;
  throw new ForbiddenError(
    `This API token may only send the documents with which it was created; none has the hash ${quote(hash)}`,
  );
}

/** Throws ForbiddenError for an API token with documents, which can only be sent to GraphQL. */
export function assertUnrestricted({ apiToken }: Viewer): void {
  if (apiToken?.documents)
    throw new ForbiddenError('This API token may only send the GraphQL documents with which it was created');
}

/** Throws NotSupportedError in read-only mode. */
export function assertWritable(readOnly: boolean): void {
  if (readOnly) throw new NotSupportedError('Operation not supported by data source the service');
}

/** The user and the API token of a security event. */
export function namesOf({ username, apiToken }: Viewer): { readonly user: string; readonly token?: string } {
  return { user: username, ...(apiToken && { token: apiToken.ref }) };
}
