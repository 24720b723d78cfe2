import { SqlMigration, type Dialect } from '../../ddl';

const SAMPLED = ['numbers_disabled', 'numbers_gateway_disabled', 'numbers_gateway_draining', 'numbers_target_disabled'];
const OTHERS = ['agents', 'peers', 'domains', 'numbers', 'routes'];

/** What is disabled, gateways that take no new calls, and their further destinations. */
export class Enabled1763676996000 extends SqlMigration {
  readonly statements = ({ text, table }: Dialect): readonly string[] => [
    'ALTER TABLE gateways ADD COLUMN enabled boolean',
    'ALTER TABLE gateways ADD COLUMN draining boolean',
    `ALTER TABLE gateways ADD COLUMN destinations ${text}`,
    ...OTHERS.map((name) => `ALTER TABLE ${name} ADD COLUMN enabled boolean`),
    ...SAMPLED.map((column) => `ALTER TABLE samples ADD COLUMN ${column} double precision`),
    // As gateway_health, for the destinations besides the host of a gateway.
    `CREATE TABLE destination_health (
      gw_ref varchar(24) NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since bigint NOT NULL,
      checked_on bigint NOT NULL,
      answered_on bigint DEFAULT NULL,
      round_trip integer DEFAULT NULL,
      last_status integer DEFAULT NULL,
      misses integer NOT NULL,
      answers integer NOT NULL,
      expires_at bigint NOT NULL,
      PRIMARY KEY (gw_ref, host, port, transport)
    ) ${table}`,
  ];
}
