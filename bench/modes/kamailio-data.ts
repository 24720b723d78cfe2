import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

import { fillAgents, insertAll } from '../data';
import { WRITTEN } from '../../src/sip/kamailio/views';
import type { BenchDatabase } from '../databases';
import { CREATED_ON, domain, DOMAINS, gateway, number } from '../rows';

export const AGENTS = 10_000;
const PEERS = 100;
const GATEWAYS = 10;

/** A schema that `sipgraph kamailio install` creates, and one with tables of the same rows. */
const SCHEMAS = { views: 'kamailio', tables: 'kamailio_tables' } as const;

/**
 * Indexes of Kamailio's own schema, and of the columns that its configuration looks up; other tables are read as a
 * whole.
 */
const INDEXES: Readonly<Record<string, string>> = {
  agent: 'UNIQUE (username, domain)',
  agent_credentials: 'UNIQUE (username, domain)',
  registering_agents: 'UNIQUE (username, domain)',
  peer_credentials: 'UNIQUE (username, domain)',
  peer: 'UNIQUE (username)',
  domain: 'UNIQUE (domain)',
  peer_realm_credentials: 'UNIQUE (username)',
  subscriber: 'UNIQUE (username, domain)',
  acl: 'INDEX (domain)',
  number: 'INDEX (did)',
  did_route: 'INDEX (did)',
  number_ranges: 'INDEX (range_first)',
  egress: 'INDEX (domain)',
  uacreg: 'UNIQUE (l_uuid)',
  domain_limits: 'UNIQUE (domain)',
  routes: 'INDEX (domain, prefix)',
  ways_out: 'INDEX (route)',
  agent_callers: 'INDEX (ref)',
  peer_callers: 'INDEX (ref)',
  gateway_credentials: 'INDEX (gw_ref)',
};

/** The directory of this version, with its build. */
export const OWN = resolve(__dirname, '../..');

/** Runs `sipgraph kamailio` on a database. Returns what it prints. */
export function runKamailioCommand(database: BenchDatabase, ...args: readonly string[]): string {
  return runKamailioCommandOf({ directory: OWN }, database, ...args);
}

/** The same command of the version in a directory, with further settings. */
export function runKamailioCommandOf(
  { directory, env }: { readonly directory: string; readonly env?: Readonly<Record<string, string>> },
  database: BenchDatabase,
  ...args: readonly string[]
): string {
  return execFileSync(process.execPath, [resolve(directory, 'dist/cli.js'), 'kamailio', ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, SAMPLE_DATA: 'false', ...env },
    encoding: 'utf8',
  });
}

/** Fills a migrated, empty database with agents in one domain each, peers, gateways, and a number for each agent. */
export async function fillModel(database: BenchDatabase): Promise<void> {
  await insertAll(database, 'gateways', GATEWAYS, (index) => ({
    ...gateway(index),
    // Not a name: nothing is resolved. A gateway that does not register causes no traffic.
    host: `127.0.99.${String(index)}`,
    send_register: 0,
  }));
  await insertAll(database, 'domains', DOMAINS, (index) => domain(index));
  await fillAgents(database, AGENTS);
  await insertAll(database, 'agent_domains', AGENTS, (index) => ({
    agent_id: index,
    domain_id: domainIdOf(index),
    position: 0,
    username: userOf(index),
  }));
  await insertAll(database, 'peers', PEERS, (index) => ({
    ref: `pe${String(index)}`,
    created_on: CREATED_ON,
    modified_on: CREATED_ON,
    extra: null,
    name: `Peer ${String(index)}`,
    username: `pbx${String(index)}`,
    secret: 'secret',
    device: null,
    contact_addr: null,
  }));
  await insertAll(database, 'numbers', AGENTS, (index) => {
    // The versions that are compared may not have this column yet.
    const { digits_key: _key, ...columns } = number('DID', index, GATEWAYS);
    return { ...columns, aor_link: `sip:${userOf(index)}@${domainOf(index)}` };
  });
}

/** The user name, the domain, and the number of the agent with this index, from 1. */
export function userOf(index: number): string {
  return `user${String(index)}`;
}

export function domainOf(index: number): string {
  return String(domain(domainIdOf(index))['domain_uri']);
}

export function numberOf(index: number): string {
  return `+${String(number('DID', index)['tel_digits'])}`;
}

/** Copies what the views select into tables of the returned schema, and gives Kamailio's user all rights on them. */
export async function copyToTables(database: BenchDatabase): Promise<string> {
  const { views, tables } = SCHEMAS;
  await database.run(`CREATE DATABASE ${tables} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await database.run(`GRANT ALL ON ${tables}.* TO kamailio@127.0.0.1`);
  const model = new URL(database.url).pathname.slice(1);
  // The tables that Kamailio writes have the same columns and indexes on both sides.
  for (const name of WRITTEN) {
    const schema = name.startsWith('dialog') ? views : model;
    await database.run(`CREATE TABLE ${tables}.${name} LIKE ${schema}.${name}`);
  }
  const written = WRITTEN.map((name) => `'${name}'`).join(', ');
  const rows = await database.rows(
    `SELECT table_name AS name FROM information_schema.views WHERE table_schema = '${views}' AND table_name NOT IN (${written})`,
  );
  for (const name of rows.map((row) => String(row['name']))) {
    await database.run(`CREATE TABLE ${tables}.${name} ENGINE=InnoDB AS SELECT * FROM ${views}.${name}`);
    const index = INDEXES[name];
    if (index !== undefined) await database.run(`ALTER TABLE ${tables}.${name} ADD ${index}`);
    await database.analyse([`${tables}.${name}`]);
  }
  return tables;
}

function domainIdOf(index: number): number {
  return (index % DOMAINS) + 1;
}
