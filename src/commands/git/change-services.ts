import type { Actor } from '../../changes/actor';
import type { Database } from '../../database/database';
import { differencesOf } from '../../history/differences';
import { RevertService } from '../../history/revert-service';
import { newRequestId } from '../../http/request-id';
import type { Model } from '../../model/model';
import { PendingService } from '../../jobs/pending/pending-service';
import { ChangeSetService } from '../../resources/bulk/change-set-service';
import { KeyTurns } from '../../resources/write/idempotency-key';
import type { FindDifferences } from '../../resources/write/unchanged';
import type { Databases } from '../databases';
import { readerOf } from '../history';

/** The service for sets of changes, by default on behalf of who runs the command. */
export function changeSetsOf(
  database: Database,
  { actor, config }: Databases,
  model: Model,
  onBehalfOf: Actor = actor,
): ChangeSetService {
  const find: FindDifferences = (kind, changed) => differencesOf(() => readerOf(database), kind, changed);
  return new ChangeSetService(model, new KeyTurns(database), onBehalfOf, find, config.sipNode);
}

/** The service for changes that must be confirmed, on behalf of who runs the command. */
export function pendingServiceOf(database: Database, databases: Databases, model: Model): PendingService {
  return new PendingService(
    {
      database,
      keys: new KeyTurns(database),
      model,
      newId: newRequestId,
      changeSetsOf: (actor) => changeSetsOf(database, databases, model, actor),
      revertsOf: (actor) => new RevertService(database, model, readerOf(database), actor),
    },
    databases.actor,
    () => undefined, // a server looks for itself
  );
}
