import { loadConfig } from './src/config';
import { createDataSource } from './src/database/data-source';
import { entitiesFor } from './src/resources/entities';

const { database } = loadConfig(process.env);

/** The DataSource for TypeORM's command line: the service's own, from the same configuration. */
export default createDataSource(database, entitiesFor(database.dialect));
