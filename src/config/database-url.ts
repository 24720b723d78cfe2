import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** The database that DATABASE_URL names. */
export type DatabaseTarget =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | {
      readonly dialect: 'mysql';
      /** TypeORM needs it when it compares schemas; at run time both are the same. */
      readonly product: 'mysql' | 'mariadb';
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly password: string;
      readonly database: string;
      /** TLS; undefined where connections are not encrypted. */
      readonly tls: DatabaseTls | undefined;
    };

/** How connections to the database are encrypted. */
export interface DatabaseTls {
  /** Whether the server's certificate is verified: its chain, and the name of the host. */
  readonly verify: boolean;
  /** Certificates that are trusted in place of the system's, in PEM. */
  readonly ca: string | undefined;
}

/** Reads DATABASE_URL; throws an Error that says what is wrong, without the password. */
export function databaseTarget(text: string): DatabaseTarget {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (file === '' || file.includes(':memory:')) throw new Error('a file is needed, as in sqlite:./data/sipgraph.db');
    return { dialect: 'sqlite', file: resolve(file) };
  }
  // The URL can contain a password: no message repeats it.
  const expected = 'is neither sqlite:FILE nor mysql://USER:PASSWORD@HOST:PORT/DATABASE (or mariadb://...)';
  if (!URL.canParse(text)) throw new Error(expected);
  const url = new URL(text);
  const name = decodeURIComponent(url.pathname.slice(1));
  if (!['mysql:', 'mariadb:'].includes(url.protocol) || name === '') throw new Error(expected);
  return {
    dialect: 'mysql',
    product: url.protocol === 'mariadb:' ? 'mariadb' : 'mysql',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: name,
    tls: databaseTls(url),
  };
}

/** `?ssl=verify` verifies the server's certificate, `?ssl=require` only encrypts; `ssl-ca` names a file of certificates. */
function databaseTls({ hostname, searchParams }: URL): DatabaseTls | undefined {
  const unknown = [...searchParams.keys()].find((name) => name !== 'ssl' && name !== 'ssl-ca');
  if (unknown !== undefined) throw new Error(`has the unknown parameter "${unknown}"; known are ssl and ssl-ca`);
  const [mode, file] = [searchParams.get('ssl'), searchParams.get('ssl-ca')];
  if (searchParams.size > new Set(searchParams.keys()).size) throw new Error('has a parameter twice');
  if (mode !== null && mode !== 'verify' && mode !== 'require')
    throw new Error(`ssl: "${mode}" is not one of verify, require`);
  if (file !== null && mode !== 'verify') throw new Error('ssl-ca: needs ssl=verify');
  if (mode === null) return undefined;
  // For an address, mysql2 would compare the certificate with the name localhost.
  if (mode === 'verify' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new Error('ssl=verify checks the name of the host: name it in place of its address');
  return { verify: mode === 'verify', ca: file === null ? undefined : certificatesIn(file) };
}

function certificatesIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`ssl-ca: "${file}" cannot be read`, { cause: error });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`ssl-ca: "${file}" has no certificate in PEM`);
  return text;
}
