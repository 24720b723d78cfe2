import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the tables of exports: the jobs, and what they have written. */
export class Exports1764130701000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => [
    // Times are milliseconds since the epoch, but `until_on`, which is in seconds of the database's clock. `asked` is JSON.
    // `seek_key` is that of the last row that was written.
    `CREATE TABLE export_jobs (
      ${id},
      ref varchar(24) NOT NULL,
      user_ref varchar(24) NOT NULL,
      role varchar(16) NOT NULL,
      source varchar(40) NOT NULL,
      format varchar(8) NOT NULL,
      asked ${text} NOT NULL,
      state varchar(16) NOT NULL,
      is_open integer NOT NULL,
      written bigint NOT NULL,
      expected bigint,
      size bigint NOT NULL,
      kept_bytes bigint NOT NULL,
      seek_key ${text},
      problem varchar(500),
      created_on bigint NOT NULL,
      touched_on bigint NOT NULL,
      finished_on bigint,
      holder varchar(40) NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX export_jobs_ref ON export_jobs (ref)',
    'CREATE INDEX export_jobs_user ON export_jobs (user_ref)',
    'CREATE INDEX export_jobs_open ON export_jobs (is_open, touched_on)',
    // `start` and `size` are bytes of the file; `content` is base64 of gzip.
    `CREATE TABLE export_chunks (
      ${id},
      job_id bigint NOT NULL,
      start bigint NOT NULL,
      size integer NOT NULL,
      content ${text} NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX export_chunks_start ON export_chunks (job_id, start)',
  ];
}
