import { SqlMigration } from '../../ddl';

/** Adds the API token that started an export; null after a sign-in. */
export class ExportTokens1764200008000 extends SqlMigration {
  readonly statements = (): readonly string[] => [`ALTER TABLE export_jobs ADD COLUMN api_token_ref varchar(24)`];
}
