import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the tables of calls, which the SIP server records, and of the nodes that record them. */
export class Calls1763677010000 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    // Times are milliseconds since the epoch. `dialog` tells calls with the same Call-ID and From tag apart. `state` is
    // one of CALL_STATES: its numbers increase with what is known. `caller` and `callee` are `agent:REF` or `peer:REF`.
    `CREATE TABLE calls (
      ${id},
      call_id varchar(255) NOT NULL,
      from_tag varchar(128) NOT NULL,
      dialog varchar(24) NOT NULL,
      node varchar(100) NOT NULL,
      begun bigint NOT NULL,
      state integer NOT NULL,
      direction varchar(8) DEFAULT NULL,
      from_uri varchar(255) DEFAULT NULL,
      to_uri varchar(255) DEFAULT NULL,
      called varchar(255) DEFAULT NULL,
      caller varchar(32) DEFAULT NULL,
      callee varchar(32) DEFAULT NULL,
      number varchar(64) DEFAULT NULL,
      source varchar(45) DEFAULT NULL,
      gateway_ref varchar(24) DEFAULT NULL,
      ringing bigint DEFAULT NULL,
      answered bigint DEFAULT NULL,
      ended bigint DEFAULT NULL,
      ended_by varchar(8) DEFAULT NULL,
      status integer DEFAULT NULL,
      reason varchar(128) DEFAULT NULL,
      reason_header varchar(255) DEFAULT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX calls_key ON calls (call_id, from_tag, dialog)',
    'CREATE INDEX calls_begun ON calls (begun)',
    'CREATE INDEX calls_state ON calls (state, begun)',
    'CREATE INDEX calls_caller ON calls (caller, begun)',
    'CREATE INDEX calls_callee ON calls (callee, begun)',
    'CREATE INDEX calls_number ON calls (number, begun)',
    'CREATE INDEX calls_gateway ON calls (gateway_ref, begun)',
    // Counts only increase. `unrecorded` are the events of calls that the node could not write.
    `CREATE TABLE call_nodes (
      node varchar(100) PRIMARY KEY NOT NULL,
      seen_on bigint NOT NULL,
      begun bigint NOT NULL,
      answered bigint NOT NULL,
      failed bigint NOT NULL,
      unrecorded bigint NOT NULL
    ) ${table}`,
  ];
}
