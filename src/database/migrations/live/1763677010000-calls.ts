import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const INDEXES = {
  calls_key: 'call_id, from_tag, dialog',
  calls_begun: 'begun',
  calls_state: 'state, begun',
  calls_caller: 'caller, begun',
  calls_callee: 'callee, begun',
  calls_number: 'number, begun',
  calls_gateway: 'gateway_ref, begun',
};

/** Creates the tables of calls, which the SIP server records, and of the nodes that record them. */
export class Calls1763677010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table } = await dialectOf(runner);
    // Times are milliseconds since the epoch. `dialog` tells calls with the same Call-ID and From tag apart. `state` is
    // one of CALL_STATES: its numbers increase with what is known. `caller` and `callee` are `agent:REF` or `peer:REF`.
    await runner.query(`CREATE TABLE calls (
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
    ) ${table}`);
    for (const [name, columns] of Object.entries(INDEXES)) {
      const unique = name === 'calls_key' ? 'UNIQUE' : '';
      await runner.query(`CREATE ${unique} INDEX ${name} ON calls (${columns})`);
    }
    // Counts only increase. `unrecorded` are the events of calls that the node could not write.
    await runner.query(`CREATE TABLE call_nodes (
      node varchar(100) PRIMARY KEY NOT NULL,
      seen_on bigint NOT NULL,
      begun bigint NOT NULL,
      answered bigint NOT NULL,
      failed bigint NOT NULL,
      unrecorded bigint NOT NULL
    ) ${table}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_nodes');
    await runner.query('DROP TABLE calls');
  }
}
