import type { DataSource } from 'typeorm';

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

/** The dialect of a DataSource. */
export function dialectOf(dataSource: DataSource): Dialect {
  return dataSource.options.type === 'better-sqlite3'
    ? {
        id: '"id" integer PRIMARY KEY AUTOINCREMENT NOT NULL',
        table: '',
        text: 'text',
        foreignKey: foreignKey('"'),
      }
    : {
        id: 'id bigint PRIMARY KEY AUTO_INCREMENT NOT NULL',
        table: 'ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
        text: 'mediumtext',
        foreignKey: foreignKey('`'),
      };
}

function foreignKey(quote: string): Dialect['foreignKey'] {
  const quoted = (name: string): string => `${quote}${name}${quote}`;
  return (name, column, target, onDelete) =>
    `CONSTRAINT ${quoted(name)} FOREIGN KEY (${quoted(column)}) REFERENCES ${quoted(target)} (${quoted('id')}) ON DELETE ${onDelete} ON UPDATE NO ACTION`;
}
