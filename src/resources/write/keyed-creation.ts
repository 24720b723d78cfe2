import type { OwnTransaction } from '../../database/sql';
import { KeyReusedError } from '../../errors';
import type { Kind } from '../../model/kind';
import { insertAll, type Created, type Creation } from './creation';
import type { IdempotencyKey } from './idempotency-key';
import { AlreadyCreatedError, removeKey, storeKey } from './idempotency-store';
import type { LinkSelections } from './references';

/** A resource to create, and the idempotency key of the create, if there is one. */
export interface KeyedCreation {
  readonly creation: Creation;
  readonly key?: IdempotencyKey | undefined;
}

/** Like `insertAll`, for creates that may have keys. The key of a create that fails is not stored. */
export async function insertKeyed(
  transaction: OwnTransaction,
  kind: Kind,
  creates: readonly KeyedCreation[],
  links: LinkSelections,
): Promise<Created> {
  const failures = new Map<Creation, unknown>();
  for (const { key, creation } of creates) {
    if (key)
      await storeKey(transaction, key, [creation.ref]).catch((error: unknown) => {
        if (!(error instanceof AlreadyCreatedError || error instanceof KeyReusedError)) throw error;
        failures.set(creation, error);
      });
  }
  const left = creates.filter(({ creation }) => !failures.has(creation));
  if (left.length === 0) return { failures, linked: new Map() };
  const creations = left.map(({ creation }) => creation);
  const { failures: failed, linked } = await insertAll(transaction, kind, creations, links);
  for (const { key, creation } of left) if (key && failed.has(creation)) await removeKey(transaction, key);
  return { failures: failures.size === 0 ? failed : new Map([...failures, ...failed]), linked };
}
