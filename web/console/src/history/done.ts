import type { Model } from '../model/model';
import { type FieldChange, isRevertible } from './entry';
import type { Reverting } from './revert-dialog';

/** What a request did to one kind, as the graph tells it. */
export interface Part {
  readonly kind: string;
  readonly event: string;
  readonly count: number;
  readonly ref: string;
  readonly times: number | null;
  readonly shared: readonly FieldChange[];
  readonly resource: { readonly label: string } | null;
  /** What the resource was called then, if it no longer exists, also if another one has its reference since. */
  readonly former: { readonly name: string | null } | null;
}

/** What a request did, as the graph tells it. */
export interface Done {
  readonly request: string | null;
  readonly entry: string;
  readonly at: string;
  readonly way: string | null;
  readonly address: string | null;
  readonly isRevert: boolean;
  readonly isWhole: boolean;
  /** Why sipgraph did it by itself; null for a request of somebody. */
  readonly reason: string | null;
  readonly who: { readonly username: string } | null;
  readonly parts: readonly Part[];
}

/** A page of what requests did. */
export interface DonePage {
  readonly nodes: readonly Done[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** The fields of DonePage in a document. */
export function doneOf({ kinds }: Model): string {
  const labels = kinds.map(({ name, label }) => `... on ${name} { label: ${label} }`).join(' ');
  return `nodes {
      request entry at way address isRevert isWhole reason who { username }
      parts { kind event count ref times shared { field before after isSecret } resource { ${labels} } former { name } }
    }
    hasNextPage endCursor`;
}

/** The query for a page of what requests did. */
export function requestsOf(model: Model): string {
  return `query Requests($where: HistoryWhere, $after: String) {
    requests: historyRequests(first: 30, after: $after, where: $where) { ${doneOf(model)} }
  }`;
}

/** The kinds of entries about what only admins see, and about who signs in. */
const SECURITY = ['User', 'ApiToken', 'SigningKey'];

/** Whether entries of a kind are about users and what they sign in with. */
export function isSecurity(kind: string): boolean {
  return SECURITY.includes(kind);
}

/** The most entries that can be reverted at once (docs/history.md). */
const MOST = 25_000;

/** What to revert to undo all of it, in the background if it is too much for one request; undefined if that is not possible. */
export function revertingOf({ request, entry, parts, isWhole }: Done, { kinds }: Model): Reverting | undefined {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count === 0 || !parts.every((part) => isRevertible(part, kinds))) return undefined;
  // Not all entries are counted if there are very many.
  if (!isWhole || count > MOST) return request === null ? undefined : { request, isLarge: true };
  return count > 1 && request !== null ? { request } : { entry };
}
