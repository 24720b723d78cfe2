import type { Database } from '../../database/database';
import { failureOf } from '../../database/errors';
import { NotFoundError, UnfulfilledDependencyError } from '../../errors';

const ATTEMPTS = 4;

/**
 * Runs `work`, and again if a referenced resource is deleted between the lookup and the write: the next attempt reports
 * which one. On a node of a cluster, also runs it once more if a resource does not exist, because another node may have
 * created it just before. `also` tells which other errors another attempt may avoid.
 */
export async function again<T>(
  database: Database,
  work: () => Promise<T>,
  also: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isAbsent = error instanceof NotFoundError || error instanceof UnfulfilledDependencyError;
      const worth =
        failureOf(error).type === 'missing-reference' ||
        also(error) ||
        (isAbsent && attempt === 1 && (await database.catchUp()));
      if (!worth || attempt === ATTEMPTS) throw error;
    }
  }
}
