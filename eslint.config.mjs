import { readdirSync } from 'node:fs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Imports go down this list only, never up. `instead` is what to do in place of importing from that layer.
const LAYERS = [
  {
    files: ['main', 'cli', 'emit-schema'],
    instead: 'main.ts, cli.ts and emit-schema.ts are started, not imported: what others need belongs in app.ts.',
  },
  {
    files: ['app', 'composition', 'banner', 'client-operations', 'start', 'sample-data', 'sample-resources', 'serve'],
    folders: ['commands'],
    instead: 'composition.ts wires the services: take what you need as a parameter, and createServices passes it in.',
  },
  {
    folders: ['graphql', 'rest'],
    instead: 'A transport calls the features, not the other way round: return plain data or throw a DomainError.',
  },
  {
    folders: ['http'],
    instead: 'http/ is what the transports share; below them nothing knows HTTP: take what you need as a parameter.',
  },
  {
    files: ['services'],
    instead: 'services.ts is what the transports are handed: a feature takes the one service it needs as a parameter.',
  },
  {
    folders: ['documents'],
    instead: 'Only REST, import and export know legacy documents: a feature takes and returns resources.',
  },
  {
    folders: ['resources', 'live', 'changes', 'diagnosis', 'auth', 'system', 'kamailio', 'security'],
    instead: 'The features use this, not the other way round: take what you need as a parameter.',
  },
  {
    folders: ['model'],
    instead: 'filter/ and database/ work for any table: take what they need to know of a kind as a parameter.',
  },
  {
    folders: ['filter', 'database'],
    instead: 'config/, limits/, errors.ts and log.ts import nothing else of sipgraph.',
  },
  { files: ['errors', 'log'], folders: ['config', 'limits'] },
];
// Imports between the folders of graphql/ go down this list.
const GRAPHQL_LAYERS = ['server', 'features', 'resources'];
const SIBLING = 'graphql/ and rest/ do not know each other: what both need belongs in the feature that they call.';
const KINDS = 'createApp takes the kinds that it serves: take a Kind or the Model as a parameter.';
const CLIENT = 'The client is for users of sipgraph and for tests: inside, call the service.';

const TRANSPORT_PACKAGES = {
  regex: '^(fastify|@fastify/.+|@apollo/.+|@as-integrations/.+|graphql|graphql/.+|graphql-.+)$',
  message: 'Only graphql/, rest/, http/ and app.ts know a transport: return plain data, throw a DomainError.',
};
const GRAPHQL_PACKAGES = {
  regex: '^(@apollo/.+|@as-integrations/.+|graphql|graphql/.+|graphql-.+|type-graphql)$',
  message: 'Only graphql/ knows GraphQL: call the feature.',
};
const DRIVERS = {
  regex: '^(mysql2|better-sqlite3)(/.+)?$',
  message: 'Only database/ knows a driver: use Database, and keep every difference between databases there.',
};

/** A ban on relative imports from the root of src: of `app`, or of anything in `rest/`. */
function ban({ files = [], folders = [], instead }) {
  const names = [...files.map((name) => `${name}$`), ...folders.map((name) => `${name}/`)];
  return { regex: `^(\\./|(\\.\\./)+)(${names.join('|')})`, message: instead };
}

/** Every file and folder of src but the playground, which has rules of its own. */
const parts = readdirSync(new URL('src', import.meta.url))
  .filter((name) => name !== 'playground')
  .map((name) => name.replace(/\.ts$/, ''));

/** The packages that a file or folder of src may not import. */
function packagesOf(name) {
  if (['graphql', 'app', 'emit-schema', 'client-operations'].includes(name)) return [DRIVERS];
  if (['rest', 'http', 'config', 'limits'].includes(name)) return [GRAPHQL_PACKAGES, DRIVERS];
  return name === 'database' ? [TRANSPORT_PACKAGES] : [TRANSPORT_PACKAGES, DRIVERS];
}

/** The imports that a file or folder of src may not make. */
function directions(name, ...packages) {
  const depth = LAYERS.findIndex(({ files = [], folders = [] }) => [...files, ...folders].includes(name));
  if (depth === -1) throw new Error(`src/${name} is in no layer: add it to LAYERS in eslint.config.mjs`);
  const patterns = [...LAYERS.slice(0, depth).map(ban), ban({ folders: ['clients', 'playground'], instead: CLIENT })];
  if (depth > 1) patterns.push({ regex: '/model/kinds$', message: KINDS });
  if (name === 'graphql') patterns.push(ban({ folders: ['rest'], instead: SIBLING }));
  if (name === 'rest') patterns.push(ban({ folders: ['graphql'], instead: SIBLING }));
  return {
    files: [`src/${name}.ts`, `src/${name}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, ...packages] }] },
  };
}

/** The imports that a folder of graphql/ may not make, on top of those of graphql/. */
function graphqlDirections(folder, depth) {
  const above = GRAPHQL_LAYERS.slice(0, depth).map((name) => ({
    regex: `^\\.\\./${name}/`,
    message: `Imports in graphql/ go from server/ to features/ to resources/: what both need belongs below.`,
  }));
  const { rules } = directions('graphql', DRIVERS);
  const [severity, { patterns }] = rules['no-restricted-imports'];
  return {
    files: [`src/graphql/${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': [severity, { patterns: [...patterns, ...above] }] },
  };
}

export default defineConfig(
  globalIgnores(['**/dist/', 'coverage/', 'data/', 'clients/*/src/operations.ts', 'clients/*/src/schema-types.ts']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true, allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // TypeORM and Fastify declare their options as classes and take plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // It would have us write `!`, which no-non-null-assertion forbids.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    // main.ts passes the environment to loadConfig and reads nothing in it.
    ignores: ['src/main.ts', 'src/cli.ts', 'src/config/**', 'src/playground/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only config/ reads the environment: add a setting in config/settings.ts.',
        },
      ],
    },
  },
  ...parts.map((name) => directions(name, ...packagesOf(name))),
  ...GRAPHQL_LAYERS.map(graphqlDirections),
  {
    files: ['src/playground/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^(\\.\\./)+', message: 'The playground runs in a browser: ask the server over HTTP.' }],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['describe', 'test', 'it'].flatMap((object) =>
          ['only', 'skip'].map((property) => ({ object, property, message: 'Every test runs, always.' })),
        ),
      ],
      // Jest's matchers inside an expected value (`expect.any(String)`) are typed any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    // Jest and TypeORM's command line take these as default exports.
    files: ['test/support/global-*.ts', 'ormconfig.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
