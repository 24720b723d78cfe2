import { SqlMigration, type Dialect } from '../../ddl';

/**
 * Creates the tables that a SIP server writes and sipgraph reads: Kamailio's usrloc bindings, and gateway
 * registrations.
 */
export class CreateLive1763676100000 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    // Kamailio's layout (`location`, version 9), except that expires and last_modified are seconds since the epoch,
    // without time zones (usrloc's expires_type=1).
    `CREATE TABLE location (
      ${id},
      ruid varchar(64) DEFAULT '' NOT NULL,
      username varchar(64) DEFAULT '' NOT NULL,
      domain varchar(64) DEFAULT NULL,
      contact varchar(512) DEFAULT '' NOT NULL,
      received varchar(128) DEFAULT NULL,
      path varchar(512) DEFAULT NULL,
      expires bigint DEFAULT 0 NOT NULL,
      q float DEFAULT 1.0 NOT NULL,
      callid varchar(255) DEFAULT 'Default-Call-ID' NOT NULL,
      cseq integer DEFAULT 1 NOT NULL,
      last_modified bigint DEFAULT 0 NOT NULL,
      flags integer DEFAULT 0 NOT NULL,
      cflags integer DEFAULT 0 NOT NULL,
      user_agent varchar(255) DEFAULT '' NOT NULL,
      socket varchar(64) DEFAULT NULL,
      methods integer DEFAULT NULL,
      instance varchar(255) DEFAULT NULL,
      reg_id integer DEFAULT 0 NOT NULL,
      server_id integer DEFAULT 0 NOT NULL,
      connection_id integer DEFAULT 0 NOT NULL,
      keepalive integer DEFAULT 0 NOT NULL,
      \`partition\` integer DEFAULT 0 NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX location_ruid ON location (ruid)',
    'CREATE INDEX location_aor ON location (username, domain, expires)',
    'CREATE INDEX location_expires ON location (expires)',
    'CREATE INDEX location_connection ON location (server_id, connection_id)',

    `CREATE TABLE gateway_registrations (
      gw_ref varchar(24) PRIMARY KEY NOT NULL,
      username varchar(100) NOT NULL,
      host varchar(253) NOT NULL,
      ip varchar(64) NOT NULL,
      port integer NOT NULL,
      transport varchar(8) NOT NULL,
      expires integer NOT NULL,
      registered_on bigint NOT NULL,
      expires_at bigint NOT NULL
    ) ${table}`,
    'CREATE INDEX gateway_registrations_expires_at ON gateway_registrations (expires_at)',
  ];
}
