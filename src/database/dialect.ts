import type { DataSource } from 'typeorm';

/** The words in which the databases differ, for migrations: one text then serves all of them. */
export interface Dialect {
  /** A primary key that counts up in the order of creation. */
  readonly id: string;
  /** Stands behind a table: case-sensitive text, and an engine that keeps foreign keys. */
  readonly table: string;
  /** Long text: JSON lists and the members that the model does not know. */
  readonly text: string;
}

/** The dialect of a DataSource. */
export function dialectOf(dataSource: DataSource): Dialect {
  return dataSource.options.type === 'better-sqlite3'
    ? { id: 'integer PRIMARY KEY AUTOINCREMENT NOT NULL', table: '', text: 'text' }
    : {
        id: 'bigint PRIMARY KEY AUTO_INCREMENT NOT NULL',
        table: 'ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
        text: 'mediumtext',
      };
}
