import { SqlMigration, type Dialect } from '../../ddl';

/** Adds the limits of minutes a day by prefix, and how many seconds of them are used. */
export class DailyMinutes1764130900000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => [
    ...['gateways', 'domains', 'agents'].map((name) => `ALTER TABLE ${name} ADD COLUMN daily_minutes ${text}`),
    // `day` is that of UTC since the epoch. `kind` and `ref` are what has the limit.
    `CREATE TABLE used_minutes (
      ${id},
      day integer NOT NULL,
      kind varchar(16) NOT NULL,
      ref varchar(24) NOT NULL,
      prefix varchar(25) NOT NULL,
      seconds bigint NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX used_minutes_of ON used_minutes (day, kind, ref, prefix)',
  ];
}
