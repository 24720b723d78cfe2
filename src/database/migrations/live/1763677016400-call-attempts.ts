import { SqlMigration } from '../../ddl';

/** Adds the attempts of calls, the index for the calls of a number through a gateway, and the sample of calls in progress. */
export class CallAttempts1763677016400 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    // A JSON object with an array for each attempt, by its number (call-attempts.ts). NULL in calls of an earlier
    // configuration of Kamailio.
    'ALTER TABLE calls ADD COLUMN attempts text DEFAULT NULL',
    // NULL in samples of a version that does not count them.
    'ALTER TABLE samples ADD COLUMN calls double precision DEFAULT NULL',
    'CREATE INDEX calls_number_gateway ON calls (number, gateway_ref, begun)',
  ];
}
