import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { lexicographicSortSchema, printSchema } from 'graphql';

import { clientOperations } from './client-operations';
import { loadConfig } from './config/config';
import { settingsTable } from './config/readme-table';
import { graphSchema } from './graphql/schema';
import { openApiDocument } from './rest/openapi';

// What `npm run schema` writes is what a server with the default configuration serves.
const {
  maxItemsPerPage,
  restHideSecrets: hideSecrets,
  restNumericStatus: numericStatus,
  restProfile: profile,
  version,
} = loadConfig({});
mkdirSync('schema', { recursive: true });
writeFileSync('schema/schema.graphql', `${printSchema(lexicographicSortSchema(graphSchema()))}\n`);
writeFileSync(
  'schema/openapi.json',
  `${JSON.stringify(openApiDocument({ maxItemsPerPage, hideSecrets, numericStatus, profile, provider: 'sqlite' }, version), null, 2)}\n`,
);
writeFileSync('clients/typescript/operations/resources.graphql', clientOperations());

const readme = readFileSync('README.md', 'utf8');
const [before = '', after = ''] = readme.split(/(?<=<!-- settings: [^>]*-->\n)[^]*(?=<!-- \/settings -->)/);
writeFileSync('README.md', `${before}\n${settingsTable()}\n\n${after}`);
