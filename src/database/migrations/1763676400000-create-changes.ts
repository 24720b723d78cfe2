import { SqlMigration, type Dialect } from '../ddl';

/** Creates the tables behind subscriptions: the outbox of changes, and the last observed state of the live tables. */
export class CreateChanges1763676400000 extends SqlMigration {
  readonly statements = ({ table }: Dialect): readonly string[] => [
    `CREATE TABLE changes (
      id bigint PRIMARY KEY NOT NULL,
      at bigint NOT NULL,
      kind varchar(16) NOT NULL,
      ref varchar(255) NOT NULL,
      did varchar(16) NOT NULL
    ) ${table}`,
    'CREATE INDEX changes_at ON changes (at)',
    // Assigns the ids of changes. Unlike auto-increment, it gives ids in commit order and without gaps.
    `CREATE TABLE change_head (
      id integer PRIMARY KEY NOT NULL,
      last bigint NOT NULL,
      trimmed bigint NOT NULL
    ) ${table}`,
    'INSERT INTO change_head (id, last, trimmed) VALUES (1, 0, 0)',

    `CREATE TABLE live_watch (
      id integer PRIMARY KEY NOT NULL,
      watched_on bigint NOT NULL,
      previous bigint NOT NULL,
      begun bigint NOT NULL,
      last_contact bigint NOT NULL,
      contacts bigint NOT NULL,
      contact_ids bigint NOT NULL
    ) ${table}`,
    'INSERT INTO live_watch (id, watched_on, previous, begun, last_contact, contacts, contact_ids) VALUES (1, 0, 0, 0, 0, 0, 0)',
    `CREATE TABLE watched_contacts (
      id bigint PRIMARY KEY NOT NULL,
      username varchar(64) NOT NULL,
      domain varchar(64)
    ) ${table}`,
    `CREATE TABLE watched_registrations (
      gw_ref varchar(24) PRIMARY KEY NOT NULL,
      state varchar(16) NOT NULL,
      ip varchar(64) NOT NULL,
      last_response varchar(128) NOT NULL
    ) ${table}`,
  ];
}
