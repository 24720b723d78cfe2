import { ForbiddenError, NotSupportedError } from '../errors';
import { mayAct, type Role, type Viewer } from './role';

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

/** Throws ForbiddenError for an API token with a lower role than its owner's, for which the account is another user's. */
export function assertOwnAccount({ apiToken }: Viewer): void {
  if (apiToken?.isLesser)
    throw new ForbiddenError("This operation requires an API token with its user's role, or a sign-in");
}

/** Throws NotSupportedError in read-only mode. */
export function assertWritable(readOnly: boolean): void {
  if (readOnly) throw new NotSupportedError('Operation not supported by data source the service');
}

/** The user and the API token of a security event. */
export function namesOf({ username, apiToken }: Viewer): { readonly user: string; readonly token?: string } {
  return { user: username, ...(apiToken && { token: apiToken.ref }) };
}
