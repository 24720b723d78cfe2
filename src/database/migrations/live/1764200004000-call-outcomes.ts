import { SqlMigration } from '../../ddl';

// Null in samples of an earlier version.
const SAMPLED = [
  'calls_answered',
  'calls_busy',
  'calls_failed_4xx',
  'calls_failed_5xx',
  'calls_failed_6xx',
  'calls_failed_other',
];
// Those of a node whose configuration is of an earlier version stay 0.
const COUNTED = ['busy', 'failed_4xx', 'failed_5xx', 'failed_6xx'];

/** Adds the calls by what became of them: to samples, and to what nodes have counted. */
export class CallOutcomes1764200004000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    ...SAMPLED.map((name) => `ALTER TABLE samples ADD COLUMN ${name} double precision DEFAULT NULL`),
    ...COUNTED.map((name) => `ALTER TABLE call_nodes ADD COLUMN ${name} bigint NOT NULL DEFAULT 0`),
  ];
}
