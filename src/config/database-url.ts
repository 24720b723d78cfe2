import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

import { assertOneLine } from './formats';

/** The database of DATABASE_URL. */
export type DatabaseTarget = { readonly dialect: 'sqlite'; readonly file: string } | ServerTarget;

/** A database on one or several servers. */
export interface ServerTarget {
  readonly dialect: 'mysql';
  /**
   * The product in the URL. Only TypeORM uses this value, to compare schemas. At run time, the server reports its
   * product.
   */
  readonly product: 'mysql' | 'mariadb';
  /** At least one address, in the order of preference. */
  readonly hosts: readonly [Address, ...Address[]];
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Undefined for unencrypted connections. */
  readonly tls: DatabaseTls | undefined;
}

/** A database on a PostgreSQL server, which is only read (`sipgraph import-from`). */
type PostgresTarget = Pick<ServerTarget, 'hosts' | 'username' | 'password' | 'database' | 'tls'>;

/** The address of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** An address as text, with an IPv6 address in brackets. */
export function addressText({ host, port }: Address): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${String(port)}`;
}

/** The encryption of connections to the database. */
export interface DatabaseTls {
  /** Whether to verify the server's certificate: its chain and its host name. */
  readonly verify: boolean;
  /** PEM certificates to trust instead of those of the system. */
  readonly ca: string | undefined;
}

/** Parses DATABASE_URL. Throws an Error that describes the problem without the password. */
export function databaseTarget(text: string): DatabaseTarget {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    assertOneLine(file);
    if (file === '' || file.includes(':memory:')) throw new Error('requires a file, as in sqlite:./data/sipgraph.db');
    return { dialect: 'sqlite', file: resolve(file) };
  }
  return serverTarget(text, 'is neither sqlite:FILE nor mysql://USER:PASSWORD@HOST:PORT/DATABASE (or mariadb://...)');
}

/** Parses DATABASE_READ_URL: the servers that replicate the database. Throws like `databaseTarget`. */
export function replicaTarget(text: string): ServerTarget {
  return serverTarget(text, 'is not mysql://USER:PASSWORD@HOST:PORT/DATABASE (or mariadb://...)');
}

/** Parses the URL of a PostgreSQL database. Throws like `databaseTarget`. */
export function postgresTarget(text: string): PostgresTarget {
  const expected = 'is not postgresql://USER:PASSWORD@HOST:PORT/DATABASE';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgresql:', 'postgres:'].includes(url.protocol)) throw new Error(expected);
  return connectionIn(url, 5432, expected);
}

const MAX_HOSTS = 16;

/**
 * `expected` is the message for a text that is no such URL. The URL can contain a password, so no message repeats it.
 */
function serverTarget(text: string, expected: string): ServerTarget {
  const [, scheme, before = '', hosts = '', after] = /^(\w+:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s.exec(text) ?? [];
  if (scheme === undefined || after === undefined) throw new Error(expected);
  const [first, ...others] = hosts.split(',').map((host) => hostTarget(`${scheme}${before}${host}${after}`, expected));
  if (!first || others.length >= MAX_HOSTS) throw new Error(`names more than ${String(MAX_HOSTS)} hosts`);
  const addresses = [first, ...others].map(({ hosts: [host] }) => addressText(host));
  const twice = addresses.find((address, index) => addresses.indexOf(address) < index);
  if (twice !== undefined) throw new Error(`names ${twice} twice`);
  return { ...first, hosts: [first.hosts[0], ...others.map((other) => other.hosts[0])] };
}

/** Parses a URL with one host. */
function hostTarget(text: string, expected: string): ServerTarget {
  if (!URL.canParse(text)) throw new Error(expected);
  const url = new URL(text);
  if (!['mysql:', 'mariadb:'].includes(url.protocol)) throw new Error(expected);
  return {
    dialect: 'mysql',
    product: url.protocol === 'mariadb:' ? 'mariadb' : 'mysql',
    ...connectionIn(url, 3306, expected),
  };
}

function connectionIn(url: URL, port: number, expected: string): PostgresTarget {
  const name = decodeURIComponent(url.pathname.slice(1));
  if (name === '' || url.hostname === '') throw new Error(expected);
  return {
    hosts: [{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || port) }],
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: name,
    tls: databaseTls(url),
  };
}

/**
 * Reads the TLS parameters of the URL: `ssl=verify` verifies the server's certificate, `ssl=require` only encrypts, and
 * `ssl-ca` is a file of trusted certificates. Throws an Error if they are invalid.
 */
function databaseTls({ hostname, searchParams }: URL): DatabaseTls | undefined {
  const unknown = [...searchParams.keys()].find((name) => name !== 'ssl' && name !== 'ssl-ca');
  if (unknown !== undefined)
    throw new Error(`has the unknown parameter "${unknown}"; only ssl and ssl-ca are supported`);
  const [mode, file] = [searchParams.get('ssl'), searchParams.get('ssl-ca')];
  if (searchParams.size > new Set(searchParams.keys()).size) throw new Error('has a parameter twice');
  if (mode !== null && mode !== 'verify' && mode !== 'require')
    throw new Error(`ssl: "${mode}" is not one of verify, require`);
  if (file !== null && mode !== 'verify') throw new Error('ssl-ca: requires ssl=verify');
  if (mode === null) return undefined;
  // For an IP address, mysql2 would verify the certificate for the host name localhost.
  if (mode === 'verify' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new Error('ssl=verify requires a host name instead of an IP address');
  return { verify: mode === 'verify', ca: file === null ? undefined : certificatesIn(file) };
}

function certificatesIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`ssl-ca: "${file}" cannot be read`, { cause: error });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`ssl-ca: "${file}" contains no PEM certificate`);
  return text;
}
