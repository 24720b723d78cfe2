import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the tables of the transitions of registrations, which the SIP server records, and of the nodes that do. */
export class RegistrationEvents1763676996500 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    // `at` is milliseconds since the epoch. `owner` is `agent:REF`, `peer:REF` or `gateway:REF`, `event` one of
    // REGISTRATION_EVENTS, and `devices` how many devices the node had at the address of record afterwards.
    `CREATE TABLE registration_events (
      ${id},
      at bigint NOT NULL,
      username varchar(100) DEFAULT NULL,
      domain varchar(253) DEFAULT NULL,
      owner varchar(32) DEFAULT NULL,
      event varchar(16) NOT NULL,
      host varchar(253) DEFAULT NULL,
      port integer DEFAULT NULL,
      transport varchar(8) DEFAULT NULL,
      user_agent varchar(255) DEFAULT NULL,
      node varchar(100) DEFAULT NULL,
      devices integer DEFAULT NULL,
      status integer DEFAULT NULL,
      reason varchar(128) DEFAULT NULL
    ) ${table}`,
    'CREATE INDEX registration_events_at ON registration_events (at)',
    'CREATE INDEX registration_events_address ON registration_events (username, domain, at)',
    'CREATE INDEX registration_events_owner ON registration_events (owner, at)',
    'CREATE INDEX registration_events_event ON registration_events (event, at)',
    // Counts only increase. `since` is when the node began to record, and `unrecorded` what it could not write.
    `CREATE TABLE registration_nodes (
      node varchar(100) PRIMARY KEY NOT NULL,
      since bigint NOT NULL,
      seen_on bigint NOT NULL,
      registered bigint NOT NULL,
      moved bigint NOT NULL,
      unregistered bigint NOT NULL,
      expired bigint NOT NULL,
      refused bigint NOT NULL,
      lost bigint NOT NULL,
      unrecorded bigint NOT NULL
    ) ${table}`,
  ];
}
