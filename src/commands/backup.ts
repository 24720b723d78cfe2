import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Command } from 'commander';

import type { Config } from '../config/config';
import { backupSqlite } from '../database/sqlite/sqlite-backup';
import type { Databases } from './databases';
import { answering, CommandError, reasonOf, type Answer } from './answer';
import { shellWord } from './private-file';

type ServerConfig = Extract<Config['database'], { readonly dialect: 'mysql' }>;

/** Adds the command `backup`. */
export function addBackupCommand(backup: Command, databases: Databases): void {
  answering(
    backup
      .description('copy a SQLite database to a new file while servers use it')
      .argument('<file>', 'the new file; an existing file is never replaced'),
    (file: string) => backedUp(databases.config.database, file),
  );
}

/** A database that needs a migration is copied, too, because an upgrade begins with a backup. */
async function backedUp(database: Config['database'], file: string): Promise<Answer> {
  if (database.dialect === 'mysql')
    throw new CommandError('Nothing was backed up: run one of these commands', commandsFor(database, file));
  if (!existsSync(database.file)) throw new CommandError(`${database.file} does not exist: check DATABASE_URL`);
  if (existsSync(file)) throw new CommandError(`${file} exists: backup never replaces a file`);
  const bytes = await backupSqlite(database.file, file).catch((error: unknown) => {
    throw new CommandError(`${database.file} cannot be copied to ${file}: ${reasonOf(error)}`);
  });
  return { text: [`Wrote ${file} (${String(bytes)} bytes).`], json: { file, bytes } };
}

/** The commands that back up a server while it runs. They ask for the password. */
function commandsFor({ hosts, username, database }: ServerConfig, file: string): readonly string[] {
  const [{ host, port }] = hosts;
  const login = `--host=${shellWord(host)} --port=${String(port)} --user=${shellWord(username)} --password`;
  const dump = `--single-transaction ${login} ${shellWord(database)} > ${shellWord(file)}`;
  return [
    'sipgraph backs up SQLite. A database server has its own tools:',
    `MariaDB:                   (umask 077; set -C; mariadb-dump ${dump})`,
    `MySQL:                     (umask 077; set -C; mysqldump --no-tablespaces --set-gtid-purged=OFF ${dump})`,
    `MariaDB, the whole server: mariabackup --backup ${login} --target-dir=${shellWord(dirname(file))}`,
  ];
}
