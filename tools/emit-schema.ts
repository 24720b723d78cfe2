import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { lexicographicSortSchema, printSchema } from 'graphql';

import { clientOperations } from './client-operations';
import { createProgram } from '../src/commands/program';
import { describeCommands } from './command-reference';
import { loadConfig } from '../src/config/config';
import { settingsTable } from './settings-table';
import { graphSchema } from '../src/graphql/schema';
import { kinds } from '../src/model/kinds';
import { modelOf } from '../src/model/model';
import { openApiDocument } from '../src/rest/openapi';

// `npm run schema` writes the GraphQL schema and the OpenAPI document that a server with the default configuration
// serves, the operations of the typed clients, the table of settings in docs/configuration.md, and what
// docs/command-line.md says about each command.
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
writeFileSync('clients/typescript/operations/root-fields.graphql', clientOperations(model));

rewrite('docs/configuration.md', (page) =>
  page.replace(/(?<=<!-- settings: [^>]*-->\n)[^]*(?=<!-- \/settings -->)/, () => `\n${settingsTable()}\n\n`),
);
rewrite('docs/command-line.md', (page) => describeCommands(page, createProgram({}, false)));

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
