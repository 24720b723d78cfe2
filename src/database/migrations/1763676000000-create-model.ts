import { SqlMigration, type Dialect } from '../ddl';

/** Creates the tables of the resources, the users, and the settings that the service generates. */
export class CreateModel1763676000000 extends SqlMigration {
  readonly statements = ({ id, table, text, foreignKey }: Dialect): readonly string[] => {
    const common = `
      ${id},
      ref varchar(24) NOT NULL,
      created_on bigint NOT NULL,
      modified_on bigint NOT NULL,
      extra ${text}`;
    return [
      `CREATE TABLE gateways (${common},
        name varchar(100) NOT NULL,
        host varchar(253) NOT NULL,
        username varchar(100),
        secret varchar(100),
        transport varchar(16) NOT NULL,
        port integer,
        expires integer,
        send_register boolean,
        registries ${text},
        identity varchar(400) NOT NULL
      ) ${table}`,
      'CREATE UNIQUE INDEX gateways_ref ON gateways (ref)',
      'CREATE UNIQUE INDEX gateways_identity ON gateways (identity)',
      'CREATE INDEX gateways_name ON gateways (name)',
      'CREATE INDEX gateways_host ON gateways (host)',
      'CREATE INDEX gateways_username ON gateways (username)',

      `CREATE TABLE numbers (${common},
        kind varchar(16) NOT NULL,
        gateway_id bigint NOT NULL,
        geo_info_city varchar(100),
        geo_info_country varchar(100),
        geo_info_country_isocode varchar(2),
        tel_url varchar(100) NOT NULL,
        aor_link varchar(255) NOT NULL,
        tel_digits varchar(100) NOT NULL,
        aor_user varchar(255) NOT NULL,
        aor_host varchar(255) NOT NULL,
        ${foreignKey('numbers_gateway_id', 'gateway_id', 'gateways', 'RESTRICT')}
      ) ${table}`,
      'CREATE UNIQUE INDEX numbers_ref ON numbers (kind, ref)',
      'CREATE UNIQUE INDEX numbers_tel_url ON numbers (kind, tel_url)',
      // Every index ends with the primary key, so this one returns a gateway's numbers in the order of creation.
      'CREATE INDEX numbers_gateway ON numbers (gateway_id, kind)',
      'CREATE INDEX numbers_kind ON numbers (kind)',
      'CREATE INDEX numbers_tel_digits ON numbers (tel_digits)',
      'CREATE INDEX numbers_aor ON numbers (aor_user, aor_host, kind)',

      `CREATE TABLE domains (${common},
        name varchar(100) NOT NULL,
        domain_uri varchar(253) NOT NULL,
        egress_policy_rule varchar(255),
        egress_number_id bigint,
        access_control_list_allow ${text},
        access_control_list_deny ${text},
        ${foreignKey('domains_egress_number_id', 'egress_number_id', 'numbers', 'RESTRICT')}
      ) ${table}`,
      'CREATE UNIQUE INDEX domains_ref ON domains (ref)',
      'CREATE UNIQUE INDEX domains_domain_uri ON domains (domain_uri)',
      'CREATE INDEX domains_name ON domains (name)',
      'CREATE INDEX domains_egress_number ON domains (egress_number_id)',

      `CREATE TABLE agents (${common},
        name varchar(100) NOT NULL,
        username varchar(100) NOT NULL,
        secret varchar(100) NOT NULL,
        privacy varchar(16),
        max_contacts integer
      ) ${table}`,
      'CREATE UNIQUE INDEX agents_ref ON agents (ref)',
      'CREATE INDEX agents_name ON agents (name)',
      'CREATE INDEX agents_username ON agents (username)',

      `CREATE TABLE agent_domains (
        agent_id bigint NOT NULL,
        domain_id bigint NOT NULL,
        position integer NOT NULL,
        username varchar(100) NOT NULL,
        PRIMARY KEY (agent_id, domain_id),
        ${foreignKey('agent_domains_agent_id', 'agent_id', 'agents', 'CASCADE')},
        ${foreignKey('agent_domains_domain_id', 'domain_id', 'domains', 'RESTRICT')}
      ) ${table}`,
      'CREATE UNIQUE INDEX agent_domains_domain_id_username ON agent_domains (domain_id, username)',
      'CREATE INDEX agent_domains_members ON agent_domains (domain_id, agent_id)',

      `CREATE TABLE peers (${common},
        name varchar(100) NOT NULL,
        username varchar(100) NOT NULL,
        secret varchar(100) NOT NULL,
        device varchar(100),
        contact_addr varchar(259)
      ) ${table}`,
      'CREATE UNIQUE INDEX peers_ref ON peers (ref)',
      'CREATE UNIQUE INDEX peers_username ON peers (username)',
      'CREATE INDEX peers_name ON peers (name)',

      `CREATE TABLE users (
        ${id},
        ref varchar(24) NOT NULL,
        username varchar(100) NOT NULL,
        role varchar(16) NOT NULL,
        secret_hash varchar(255) NOT NULL,
        generation integer NOT NULL,
        created_on bigint NOT NULL,
        modified_on bigint NOT NULL
      ) ${table}`,
      'CREATE UNIQUE INDEX users_ref ON users (ref)',
      'CREATE UNIQUE INDEX users_username ON users (username)',

      `CREATE TABLE settings (name varchar(100) PRIMARY KEY NOT NULL, value ${text} NOT NULL) ${table}`,
    ];
  };
}
