import type { Actor } from '../changes/actor';
import type { State } from '../changes/details';
import { noteChange } from '../changes/outbox';
import type { OwnTransaction } from '../database/sql';
import type { ApiToken } from './api-token-store';

/** The kind of API tokens in the journal. */
const API_TOKEN_KIND = 'ApiToken';

/** Writes the creation of a token to the journal. */
export function noteCreated(transaction: OwnTransaction, actor: Actor, token: ApiToken): void {
  const details = { after: stateOf(token) };
  noteChange(transaction, { kind: API_TOKEN_KIND, ref: token.ref, event: 'CREATED', actor, details });
}

/** Writes to the journal that a token was deleted, on request, with its user, or because it had expired. */
export function noteDeleted(transaction: OwnTransaction, actor: Actor, token: ApiToken): void {
  const details = { before: stateOf(token) };
  noteChange(transaction, { kind: API_TOKEN_KIND, ref: token.ref, event: 'DELETED', actor, details });
}

/** The values of a token in the journal. */
function stateOf({ name, note, role, username, expiresOn }: ApiToken): State {
  return { name, role, username, ...(note !== null && { note }), ...(expiresOn !== null && { expiresOn }) };
}
