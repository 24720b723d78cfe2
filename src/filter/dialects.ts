import { COLLATIONS } from '../database/ddl';
import { sql } from '../database/fragment';
import { POSIX_LIKE, written } from './pattern/pattern';
import { serverDialect } from './server-dialect';
import { sqliteDialect } from './sqlite-dialect';

/** The dialect of each database. */
export const filterDialects = {
  sqlite: sqliteDialect,
  mysql: serverDialect(
    COLLATIONS.mysql,
    (value, pattern) => sql`REGEXP_LIKE(${value}, ${written(pattern, POSIX_LIKE)}, 'c')`,
  ),
  mariadb: serverDialect(COLLATIONS.mariadb, (value, pattern) => sql`${value} REGEXP ${written(pattern, POSIX_LIKE)}`),
} as const;
