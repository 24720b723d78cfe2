import { loadConfig } from './src/config/config';
import { createDataSource } from './src/database/open';
import { protectSqliteFile } from './src/database/sqlite/sqlite-file';

const { database } = loadConfig(process.env);
if (database.dialect === 'sqlite') protectSqliteFile(database.file);

/** The DataSource for TypeORM's command line, with the configuration of the server. */
export default createDataSource(database);
