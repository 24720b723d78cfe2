import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the tables of tasks: changes that are made in the background, and what was uploaded for them. */
export class Tasks1764500000000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => [
    // Times are milliseconds since the epoch, but `until_on`, which is in seconds of the database's clock. `actor`, `given` and
    // `result` are JSON. `holder` is empty until a process has taken the task.
    `CREATE TABLE tasks (
      ${id},
      ref varchar(24) NOT NULL,
      user_ref varchar(24) NOT NULL,
      api_token_ref varchar(24),
      type varchar(8) NOT NULL,
      state varchar(16) NOT NULL,
      is_open integer NOT NULL,
      actor ${text} NOT NULL,
      given ${text},
      done bigint NOT NULL,
      total bigint,
      written bigint NOT NULL,
      request_id varchar(64),
      problem varchar(500),
      result ${text},
      stored_size bigint NOT NULL,
      created_on bigint NOT NULL,
      touched_on bigint NOT NULL,
      finished_on bigint,
      holder varchar(40) NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX tasks_ref ON tasks (ref)',
    'CREATE UNIQUE INDEX tasks_user ON tasks (user_ref)',
    'CREATE INDEX tasks_open ON tasks (is_open, touched_on)',
    // `content` is base64.
    `CREATE TABLE task_parts (
      ${id},
      task_id bigint NOT NULL,
      number integer NOT NULL,
      content ${text} NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX task_parts_number ON task_parts (task_id, number)',
  ];
}
