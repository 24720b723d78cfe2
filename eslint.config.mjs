import { readdirSync } from 'node:fs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { importCircles } from './tools/import-circles.mjs';

// From the top floor down: a file or folder of src may import only from those below it. The second element says what to do
// instead of a forbidden import.
const LAYERS = [
  ['main', 'main.ts is an entry point: move shared code to app/.'],
  ['cli', 'cli.ts is an entry point: move shared code to commands/.'],
  ['commands', 'Only cli.ts runs commands: move shared code to the folder that it is about.'],
  ['app', 'composition.ts wires the services: accept what you need as a parameter.'],
  ['graphql', 'Features must not depend on a transport: return plain data or throw a DomainError.'],
  ['rest', 'Features must not depend on a transport: return plain data or throw a DomainError.'],
  ['http', 'Only transports and http/ know HTTP: accept what you need as a parameter.'],
  ['session', 'session/ lists the services for transports: accept the services that you need as parameters.'],
  ['jobs', 'What jobs do is a service of its own: accept what you need, and return plain data.'],
  ['auth', 'Who asks is known above: accept the caller as a parameter.'],
  ...['history', 'webhooks', 'monitoring'].map((name) => [name, 'This layer must not depend on features above it.']),
  ['resources', 'The SIP server and the changes do not know how resources are written: accept what you need.'],
  ['sip', 'changes/ delivers any change: accept an interface.'],
  ['changes', 'Below changes/, nothing knows what happened before: accept what you need as a parameter.'],
  ['model', 'filter/ and database/ work for any table: accept what they need to know about a kind as a parameter.'],
  ['filter', 'database/ runs any SQL: accept a Fragment.'],
  ['database', 'log.ts, config/, limits/ and errors.ts know no database.'],
  ['log', 'config/, limits/ and errors.ts log nothing: throw, or return what happened.'],
  ['config', 'limits/, errors.ts and spelling/ accept settings as parameters.'],
  ['limits', 'errors.ts and spelling/ import nothing.'],
  ['errors', 'spelling/ also runs in browsers: return what happened.'],
  ['spelling', ''],
];
const GRAPHQL_LAYERS = ['server', 'features', 'schema'];
const SIBLING = 'graphql/ and rest/ do not depend on each other: move shared code to the feature that both call.';
const KINDS = 'createApp accepts the kinds to serve: accept a Kind or the Model as a parameter.';
const CLIENT = 'The client is for users of sipgraph and for tests: call the service instead.';

const TRANSPORT_PACKAGES = {
  regex: '^(fastify|@fastify/.+|@apollo/.+|@as-integrations/.+|graphql|graphql/.+|graphql-.+)$',
  message: 'Only graphql/, rest/, http/ and app.ts know a transport: return plain data or throw a DomainError.',
};
const GRAPHQL_PACKAGES = {
  regex: '^(@apollo/.+|@as-integrations/.+|graphql|graphql/.+|graphql-.+|type-graphql)$',
  message: 'Only graphql/ knows GraphQL: call the feature.',
};
const DRIVERS = {
  regex: '(^|/)(mysql2|better-sqlite3(-\\d+)?)(/.+)?$',
  message: 'Only database/ knows a driver: use Database, and keep every difference between databases there.',
};

/** A rule that forbids relative imports of a file or a folder of src. */
function ban(name, message) {
  return { regex: `^(\\./|(\\.\\./)+)${name}(/|$)`, message };
}

// The attributes of elements that are shown, or read by screen readers.
const LABEL = '/^(aria-label|label|title|placeholder|helperText|none)$/';
const TEXT = ':matches(TemplateLiteral, Literal[value=/\\S/])';
const CHOICE = ':matches(LogicalExpression, ConditionalExpression)';

/** Every file and folder of src. */
const parts = readdirSync(new URL('src', import.meta.url)).map((name) => name.replace(/\.[jt]s$/, ''));

/** The packages that a file or folder of src may not import. */
function packagesOf(name) {
  if (['graphql', 'app'].includes(name)) return [DRIVERS];
  if (['rest', 'http', 'config', 'limits'].includes(name)) return [GRAPHQL_PACKAGES, DRIVERS];
  return name === 'database' ? [TRANSPORT_PACKAGES] : [TRANSPORT_PACKAGES, DRIVERS];
}

/** The imports that a file or folder of src may not make. */
function directions(name, ...packages) {
  const depth = LAYERS.findIndex(([layer]) => layer === name);
  if (depth === -1) throw new Error(`src/${name} is in no layer: add it to LAYERS in eslint.config.mjs`);
  const patterns = LAYERS.slice(0, depth).map(([layer, message]) => ban(layer, message));
  patterns.push({ regex: '^(\\./|(\\.\\./)+)(clients|web|tools)/', message: CLIENT });
  if (!['main', 'cli', 'commands', 'app'].includes(name)) patterns.push({ regex: '/model/kinds$', message: KINDS });
  if (name === 'graphql') patterns.push(ban('rest', SIBLING));
  return {
    files: [`src/${name}.ts`, `src/${name}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, ...packages] }] },
  };
}

/** The additional imports that a folder of graphql/ may not make. */
function graphqlDirections(folder, depth) {
  const above = GRAPHQL_LAYERS.slice(0, depth).map((name) => ({
    regex: `^\\.\\./${name}/`,
    message: 'In graphql/, server/ imports features/, which imports schema/: move shared code to the lower folder.',
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
      // TypeORM and Fastify declare their options as classes, but accept plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // This rule would require `!`, which no-non-null-assertion forbids.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { sipgraph: { rules: { 'import-circles': importCircles } } },
    rules: { 'no-console': 'error', 'sipgraph/import-circles': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    // main.ts passes the environment to loadConfig without reading it.
    ignores: ['src/main.ts', 'src/cli.ts', 'src/config/**'],
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
    files: ['web/console/**/*.{ts,tsx}'],
    ignores: ['web/console/src/**/texts.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          // What is shown, or joined to be shown, and what screen readers read.
          'JSXText[value=/\\S/]',
          ...[
            ':matches(JSXElement, JSXFragment) > JSXExpressionContainer',
            `JSXAttribute[name.name=${LABEL}]`,
            `JSXAttribute[name.name=${LABEL}] > JSXExpressionContainer`,
            `Property[key.name=${LABEL}]`,
          ].flatMap((place) => [`${place} > ${TEXT}`, `${place} > ${CHOICE} > ${TEXT}`]),
          'MemberExpression[property.name=/^toLocale/]',
        ].map((selector) => ({
          selector,
          message: 'Texts of the console are in texts.ts, as functions if they vary.',
        })),
      ],
    },
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    rules: {
      'no-console': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              // How people write numbers is the same for both, and spelling/ imports nothing that a browser lacks.
              regex: '^(\\.\\./)+(src/(?!spelling/)|clients/|tools/)',
              message: 'Pages run in a browser: ask the server through the graph.',
            },
            {
              regex: '^(\\.\\./)+(console|playground)/',
              message: 'Pages do not import each other: move shared code to web/shared.',
            },
          ],
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
    // Jest and TypeORM's command line require default exports.
    files: ['test/support/runner/global-*.ts', 'ormconfig.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
