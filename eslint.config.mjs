import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Imports go down this list only, never up. `instead` is what to do in place of importing from that layer.
const LAYERS = [
  {
    files: ['main', 'cli', 'emit-schema'],
    instead: 'main.ts, cli.ts and emit-schema.ts are started, not imported: what others need belongs in app.ts.',
  },
  {
    files: ['app', 'banner', 'client-operations', 'start', 'sample-data', 'serve'],
    folders: ['commands'],
    instead: 'app.ts wires the parts together: take what you need as a parameter, and createApp passes it in.',
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
    folders: ['resources', 'live', 'changes', 'diagnosis', 'auth', 'system', 'kamailio'],
    instead: 'The features stand on this, not under it: take what you need as a parameter.',
  },
  {
    folders: ['filter', 'database'],
    instead: 'config.ts, errors.ts and log.ts stand on nothing else of sipgraph.',
  },
  { files: ['config', 'errors', 'log', 'yaml'] },
];
const SIBLING = 'graphql/ and rest/ do not know each other: what both need belongs in the feature that they call.';
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

/** The imports that a file or folder of src may not make. */
function directions(name, ...packages) {
  const depth = LAYERS.findIndex(({ files, folders }) => (files ?? folders).includes(name));
  const patterns = [...LAYERS.slice(0, depth).map(ban), ban({ folders: ['clients', 'playground'], instead: CLIENT })];
  if (name === 'graphql') patterns.push(ban({ folders: ['rest'], instead: SIBLING }));
  if (name === 'rest') patterns.push(ban({ folders: ['graphql'], instead: SIBLING }));
  return {
    files: [`src/${name}.ts`, `src/${name}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, ...packages] }] },
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
    // main.ts hands the environment to loadConfig and reads nothing in it.
    ignores: ['src/main.ts', 'src/cli.ts', 'src/config.ts', 'src/playground/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only config.ts reads the environment: add a member to Config.',
        },
      ],
    },
  },
  directions('main'),
  ...['app', 'banner', 'client-operations', 'start', 'sample-data'].map((name) => directions(name)),
  directions('graphql', DRIVERS),
  directions('rest', GRAPHQL_PACKAGES, DRIVERS),
  directions('http', GRAPHQL_PACKAGES, DRIVERS),
  directions('services', TRANSPORT_PACKAGES, DRIVERS),
  ...['resources', 'live', 'changes', 'diagnosis', 'auth', 'system'].map((name) =>
    directions(name, TRANSPORT_PACKAGES, DRIVERS),
  ),
  directions('filter', TRANSPORT_PACKAGES, DRIVERS),
  directions('database', TRANSPORT_PACKAGES),
  ...['config', 'errors', 'log'].map((name) => directions(name, TRANSPORT_PACKAGES, DRIVERS)),
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
