import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { lexicographicSortSchema, printSchema } from 'graphql';

import { clientOperations } from './client-operations';
import { loadConfig } from './config/config';
import { settingsTable } from './config/readme-table';
import { graphSchema } from './graphql/schema';
import { kinds } from './model/kinds';
import { modelOf } from './model/model';
import { openApiDocument } from './rest/openapi';

// `npm run schema` writes the GraphQL schema and the OpenAPI document that a server with the default configuration
// serves, the operations of the typed clients, and the table of settings in the README.
const {
  maxItemsPerPage,
  restHideSecrets: hideSecrets,
  restNumericStatus: numericStatus,
  restProfile: profile,
  version,
} = loadConfig({});
const model = modelOf(kinds);
const rest = { kinds: model.kinds, maxItemsPerPage, hideSecrets, numericStatus, profile, provider: 'sqlite' };
mkdirSync('schema', { recursive: true });
writeFileSync('schema/schema.graphql', `${printSchema(lexicographicSortSchema(graphSchema(model)))}\n`);
writeFileSync('schema/openapi.json', `${JSON.stringify(openApiDocument(rest, version), null, 2)}\n`);
writeFileSync('clients/typescript/operations/resources.graphql', clientOperations(model.kinds));

const readme = readFileSync('README.md', 'utf8');
const [before = '', after = ''] = readme.split(/(?<=<!-- settings: [^>]*-->\n)[^]*(?=<!-- \/settings -->)/);
writeFileSync('README.md', `${before}\n${settingsTable()}\n\n${after}`);
