import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from './ddl';
import { driverError } from './errors';

const TABLE = 'migration_progress';
const READS = /^\s*(SELECT|SHOW)\b/i;

// ER_DUP_FIELDNAME and ER_DUP_KEYNAME, in a table that an earlier migration has created.
const OWN = [1060, 1061];
// These, and ER_TABLE_EXISTS_ERROR.
const EXISTS = [...OWN, 1050];
// Of an INSERT. That of a unique index would say that the rows differ from what the index requires.
const ER_DUP_ENTRY = 1062;
/** More statements than a migration has. */
const ALL = 1_000_000;

/**
 * Lets a migration continue that was interrupted. MySQL and MariaDB commit each DDL statement, so a process that is killed leaves
 * the statements of its migration that it has executed. The next process executes all of them again, and ignores that something
 * exists if the killed one had begun to create it. So every statement of a migration must have the same effect when it is executed
 * twice, unless the migration has no DDL, and none may follow a number of statements that depends on the rows. Not for SQLite,
 * where a migration is one transaction.
 */
export function resumable(Migration: new () => MigrationInterface): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = Migration.name;
    private readonly migration = new Migration();

    async up(runner: QueryRunner): Promise<void> {
      await this.migration.up(await resuming(runner, this.name));
    }

    async down(runner: QueryRunner): Promise<void> {
      await this.migration.down(runner);
    }
  };
}

/** Deletes the notes of `resumable`, if there are any, when all migrations have been executed. */
export async function forgetProgress(source: Pick<QueryRunner['dataSource'], 'query'>): Promise<void> {
  const found = await source.query<readonly object[]>(`SHOW TABLES LIKE '${TABLE}'`);
  if (found.length > 0) await source.query(`DROP TABLE ${TABLE}`);
}

/** A runner that notes each statement before it is executed. A DDL statement commits its note first. */
async function resuming(runner: QueryRunner, name: string): Promise<QueryRunner> {
  const { dataSource } = runner;
  // On another connection, because CREATE TABLE ends a transaction.
  await dataSource.query(
    `CREATE TABLE IF NOT EXISTS ${TABLE} (name varchar(255) PRIMARY KEY NOT NULL, begun integer NOT NULL)
     ${(await dialectOf(runner)).table}`,
  );
  const [row] = await dataSource.query<{ readonly begun: number }[]>(`SELECT begun FROM ${TABLE} WHERE name = ?`, [
    name,
  ]);
  let begun = row?.begun ?? 0;
  let statement = 0;
  const note = (count: number): Promise<unknown> =>
    runner.query(`REPLACE INTO ${TABLE} (name, begun) VALUES (?, ?)`, [name, count]);

  const query = async (given: string, parameters?: unknown[]): Promise<unknown> => {
    const text = alterTable(given);
    if (READS.test(text)) return runner.query(text, parameters);
    statement++;
    const isAgain = statement <= begun;
    if (!isAgain) await note(statement);
    try {
      return await runner.query(text, parameters);
    } catch (error) {
      const { errno } = driverError(error);
      const exists = EXISTS.includes(errno) || (errno === ER_DUP_ENTRY && /^\s*INSERT\b/i.test(text));
      if (isAgain && exists) return [];
      if (statement === 1 && OWN.includes(errno)) {
        // A process of an earlier version, which noted nothing, was killed in this migration.
        begun = ALL;
        await note(ALL);
        return [];
      }
      // Without a connection, it is not known whether the statement was executed.
      if (!isAgain) await note(statement - 1).catch(() => undefined);
      throw exists ? foreign(error) : error;
    }
  };
  // The methods of the runner that read the schema call `query`, too.
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}

/**
 * Writes CREATE INDEX and DROP INDEX as ALTER TABLE, which does the same. Galera applies the former without waiting for writes to
 * the tables that a foreign key refers to, so a node can stop for ever while other processes write.
 */
function alterTable(text: string): string {
  return text
    .replace(/^\s*CREATE\s+(UNIQUE )?INDEX (\w+) ON (\w+)/, 'ALTER TABLE $3 ADD $1INDEX $2')
    .replace(/^\s*DROP INDEX (\w+) ON (\w+)/, 'ALTER TABLE $2 DROP INDEX $1');
}

function foreign(error: unknown): Error {
  return new Error(
    `${driverError(error).message}. Another program has created it, or a process of an earlier version that was killed while it migrated: use a database without it, or restore the backup`,
    { cause: error },
  );
}
