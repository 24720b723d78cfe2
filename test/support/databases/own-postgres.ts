import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, copyFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { eventually } from '../eventually';
import { closeAtTheLatest } from '../runner/leftovers';
import { programPath } from '../runner/programs';
import { freePort } from './servers';

/** A PostgreSQL server for one test file. */
export interface OwnPostgres {
  /** The URL of the server, which ends with a slash. It has the password of the user. */
  readonly url: string;
  /** Runs statements in the database `postgres`, also COPY with its rows. */
  readonly run: (sql: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** The user `nobody` of Debian: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Starts a server. `certificate` is the path of a certificate and its key, without `.pem` and `.key`. */
export async function ownPostgres(certificate?: string): Promise<OwnPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'sipgraph-own-postgres-'));
  // Of a link, the directory with the other programs.
  const bin = dirname(await realpath(programPath('postgres') ?? ''));
  const as = process.getuid?.() === 0 ? NOBODY : undefined;
  const own = async (path: string): Promise<void> => {
    if (as) await chown(path, as.uid, as.gid);
  };
  await own(home);
  const [data, password] = [join(home, 'data'), 'a-secret'];
  const file = join(home, 'password');
  await writeFile(file, password);
  await own(file);
  const options = ['--username=reader', `--pwfile=${file}`, '--auth=scram-sha-256', '--no-sync', '--encoding=UTF8'];
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...options], { ...as, cwd: home });
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'jit=off'];
  if (certificate !== undefined) {
    for (const end of ['pem', 'key']) {
      await copyFile(`${certificate}.${end}`, join(home, `server.${end}`));
      await own(join(home, `server.${end}`));
    }
    const files = [`ssl_cert_file=${join(home, 'server.pem')}`, `ssl_key_file=${join(home, 'server.key')}`];
    settings.push('ssl=on', ...files);
  }
  const port = String(await freePort());
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', port, ...settings.flatMap((each) => ['-c', each])], {
    ...as,
    cwd: home,
    stdio: 'ignore',
  });
  const remove = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    }
    await rm(home, { recursive: true, force: true });
  };
  closeAtTheLatest(remove);
  const url = `postgresql://reader:${password}@127.0.0.1:${port}/`;
  const run = async (sql: string): Promise<void> => {
    const psql = execFile(join(bin, 'psql'), ['-X', '-q', '-v', 'ON_ERROR_STOP=1', `${url}postgres`], { cwd: home });
    let complaint = '';
    psql.stderr?.on('data', (text: string) => (complaint += text));
    psql.stdin?.end(sql);
    const [code] = (await once(psql, 'close')) as [number];
    if (code !== 0) throw new Error(complaint);
  };
  await eventually(30, () => run('SELECT 1'), 100);
  return { url, run, remove };
}
