import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the tables of the state over time: samples, the states of trunks, and the process that writes them. */
export class Samples1763676970000 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    // `step` is the length of the interval that begins at `at`. Both, and `numbers_on`, are milliseconds.
    `CREATE TABLE samples (
      step integer NOT NULL,
      at bigint NOT NULL,
      devices double precision NOT NULL,
      trunks_registered double precision NOT NULL,
      trunks_refused double precision NOT NULL,
      trunks_unreachable double precision NOT NULL,
      trunks_expired double precision NOT NULL,
      trunks_unknown double precision NOT NULL,
      numbers_ambiguous double precision,
      numbers_gateway_not_registered double precision,
      numbers_gateway_expired double precision,
      numbers_gateway_refused double precision,
      numbers_domain_missing double precision,
      numbers_target_forbidden double precision,
      numbers_target_missing double precision,
      numbers_not_registered double precision,
      numbers_expired double precision,
      numbers_reachable double precision,
      changes double precision NOT NULL,
      numbers_on bigint,
      PRIMARY KEY (step, at)
    ) ${table}`,
    // `until_on` of the current state of a trunk is the largest integer that JavaScript represents exactly.
    `CREATE TABLE trunk_states (
      ${id},
      gw_ref varchar(24) NOT NULL,
      state varchar(16) NOT NULL,
      since_on bigint NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`,
    'CREATE INDEX trunk_states_gw_ref ON trunk_states (gw_ref, until_on)',
    'CREATE INDEX trunk_states_until_on ON trunk_states (until_on)',
    `CREATE TABLE sample_lease (
      id integer PRIMARY KEY NOT NULL,
      holder varchar(40) NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`,
    "INSERT INTO sample_lease (id, holder, until_on) VALUES (1, '', 0)",
  ];
}
