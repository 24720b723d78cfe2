import { SqlMigration } from '../ddl';

/** Finds the numbers whose address of record is in a domain. */
export class NumbersOfDomains1763676960000 extends SqlMigration {
  readonly statements = (): readonly string[] => ['CREATE INDEX numbers_aor_host ON numbers (aor_host, kind)'];
}
