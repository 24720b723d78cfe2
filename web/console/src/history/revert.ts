import { GraphError } from '../graph/graph-error';
import { request } from '../graph/request';
import { CHANGE, type Change } from './entry';

/** What to revert: an entry, or all that a request did. */
export type Reverting = { readonly entry: string } | { readonly request: string };

/** Secrets by their fields. */
export type Secrets = Readonly<Record<string, string>>;

/** Reverts, or with `dryRun` returns what a revert would do. Throws a GraphError. */
export async function revert(what: Reverting, secrets: Secrets, dryRun: boolean): Promise<readonly Change[]> {
  const [field, argument, type, value] =
    'entry' in what ? ['revert', 'entry', 'ID!', what.entry] : ['revertRequest', 'id', 'String!', what.request];
  const document = `mutation Revert($of: ${type}, $secrets: [RevertSecretInput!], $dryRun: Boolean!) {
    reverted: ${field}(${argument}: $of, secrets: $secrets, dryRun: $dryRun) { ${CHANGE} }
  }`;
  const given = Object.entries(secrets).map(([name, secret]) => ({ field: name, value: secret }));
  const { reverted } = await request<{ reverted: readonly Change[] }>(document, { of: value, secrets: given, dryRun });
  return reverted;
}

/** Whether the server refused the secret that was entered for a field. */
export function isRefused(error: unknown, field: string, sent: Secrets): error is GraphError {
  return isForSecrets(error) && error.fields.includes(field) && sent[field] !== undefined;
}

/** Whether the revert needs other secrets than those that were given. */
export function isForSecrets(error: unknown): error is GraphError {
  return error instanceof GraphError && error.code === 'BAD_USER_INPUT' && error.fields.length > 0 && !isTooSlow(error);
}

/** Whether the dry run took longer than it may hold locks (src/resources/bulk/pace.ts). A revert may. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof GraphError && error.fields.includes('dryRun');
}
