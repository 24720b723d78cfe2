import type { DataSource, QueryRunner } from 'typeorm';

/** The words in which the databases differ, for migrations: one text then serves all of them. */
export interface Dialect {
  /** The column `id`: a primary key that counts up in the order of creation. */
  readonly id: string;
  /** Stands behind a table: case-sensitive text, and an engine that keeps foreign keys. */
  readonly table: string;
  /** Long text: JSON lists and the members that the model does not know. */
  readonly text: string;
  /** A foreign key, in the spelling that TypeORM reads back from SQLite. */
  readonly foreignKey: (name: string, column: string, target: string, onDelete: 'CASCADE' | 'RESTRICT') => string;
}

/** What text columns are compared by on a server: code points, with a space at the end like any other character. */
export const COLLATIONS = { mysql: 'utf8mb4_0900_bin', mariadb: 'utf8mb4_nopad_bin' } as const;

/** MariaDB answers to MySQL's protocol and URL, and is told by its version. */
export async function productOf(source: Pick<DataSource, 'query'>): Promise<'mysql' | 'mariadb'> {
  const [row] = await source.query<{ readonly version: string }[]>('SELECT VERSION() AS version');
  return /mariadb/i.test(row?.version ?? '') ? 'mariadb' : 'mysql';
}

/** The dialect of the database that a migration changes. */
export async function dialectOf({ dataSource }: QueryRunner): Promise<Dialect> {
  return dataSource.options.type === 'better-sqlite3'
    ? {
        id: '"id" integer PRIMARY KEY AUTOINCREMENT NOT NULL',
        table: '',
        text: 'text',
        foreignKey: foreignKey('"'),
      }
    : {
        id: 'id bigint PRIMARY KEY AUTO_INCREMENT NOT NULL',
        table: `ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE ${COLLATIONS[await productOf(dataSource)]}`,
        text: 'mediumtext',
        foreignKey: foreignKey('`'),
      };
}

function foreignKey(quote: string): Dialect['foreignKey'] {
  const quoted = (name: string): string => `${quote}${name}${quote}`;
  return (name, column, target, onDelete) =>
    `CONSTRAINT ${quoted(name)} FOREIGN KEY (${quoted(column)}) REFERENCES ${quoted(target)} (${quoted('id')}) ON DELETE ${onDelete} ON UPDATE NO ACTION`;
}
