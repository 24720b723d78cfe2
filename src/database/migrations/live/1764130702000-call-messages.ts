import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table of the messages of calls, without bodies and secrets, which are kept for an hour. */
export class CallMessages1764130702000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => [
    `CREATE TABLE call_messages (
      ${id},
      call_id varchar(255) NOT NULL,
      at bigint NOT NULL,
      sender varchar(64) NOT NULL,
      receiver varchar(64) NOT NULL,
      first_line varchar(600) NOT NULL,
      headers ${text} NOT NULL
    ) ${table}`,
    'CREATE INDEX call_messages_call ON call_messages (call_id, at)',
    'CREATE INDEX call_messages_at ON call_messages (at)',
  ];
}
