import { SqlMigration } from '../../ddl';

/**
 * Adds the index that counts calls without reading their rows: of a day with 333,000 calls among 10,000,000, in 150 to 200 ms
 * of the server's CPU instead of 500 to 550 (MariaDB 10.11). Building it took a minute.
 */
export class CallCounts1764130800000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    'CREATE INDEX calls_counted ON calls (begun, status, gateway_ref, ringing, answered, ended)',
  ];
}
