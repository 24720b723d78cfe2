import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  BreakingChangeType,
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  DangerousChangeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  print,
  visit,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

// `npm run schema` compares the schema with that of the last release, writes what has changed to schema/CHANGELOG.md,
// and fails if a change breaks clients and is not announced (docs/versioning.md). It reads committed files only, so it
// also works in a clone without history.

/** Days for which something is deprecated before it may be removed without an announcement: three months. */
const NOTICE = 92;

/** The reason of each deprecation begins with its day. */
const SINCE = /^Since (\d{4}-\d\d-\d\d)[.:,] \S/;

/** What has changed between two schemas, as lines of Markdown. */
export interface SchemaChanges {
  /** Changes that break clients, and are announced or were deprecated for long enough. */
  readonly breaking: readonly string[];
  /** Changes that break clients, without notice. */
  readonly unannounced: readonly string[];
  readonly deprecated: readonly string[];
  /** Changes to which a client may have to be adapted, apart from additions. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
}

/**
 * Compares two schemas. `announcements` are the lines that announce a change: its description, as graphql words it,
 * and then why. `today` is a day, such as 2027-03-01.
 */
export function schemaChanges(
  released: GraphQLSchema,
  current: GraphQLSchema,
  announcements: readonly string[],
  today: string,
): SchemaChanges {
  const before = deprecationsIn(released);
  const expired = new Set([...before].filter(([, reason]) => daysSince(reason, today) >= NOTICE).map(([name]) => name));
  const breaking: string[] = [];
  const unannounced: string[] = [];
  const found: readonly { readonly type?: BreakingChangeType; readonly description: string }[] = [
    ...findBreakingChanges(released, current),
    ...withoutDefault(released, current).map((name) => ({
      description: `${name} lost its default and became required.`,
    })),
  ];
  for (const { type, description } of found) {
    const announced = announcements.find((line) => line.startsWith(`${description} `));
    if (announced !== undefined) breaking.push(announced);
    else if (expired.has(removedBy(type, description))) breaking.push(`${description} It was deprecated.`);
    else unannounced.push(description);
  }
  const deprecated = [...deprecationsIn(current)]
    .filter(([name, reason]) => before.get(name) !== reason)
    .map(([name, reason]) => `\`${name}\`: ${reason}`);
  const changed = findDangerousChanges(released, current)
    .filter(({ type }) => !ADDITIONS.includes(type))
    .map(({ description }) => description);
  return { breaking, unannounced, deprecated, changed, added: additions(released, current) };
}

/** Returns the deprecated elements whose reason does not begin with the day since which they are deprecated. */
export function undatedDeprecations(schema: GraphQLSchema): readonly string[] {
  return [...deprecationsIn(schema)].filter(([, reason]) => !SINCE.test(reason)).map(([name]) => name);
}

// These are listed under "Added".
const ADDITIONS: readonly string[] = [
  DangerousChangeType.VALUE_ADDED_TO_ENUM,
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
  DangerousChangeType.OPTIONAL_ARG_ADDED,
];

/** The element that a change removes, as in the keys of `deprecationsIn`; empty for another change. */
function removedBy(type: BreakingChangeType | undefined, description: string): string {
  if (type === BreakingChangeType.VALUE_REMOVED_FROM_ENUM) {
    const [, value = '', name = ''] = /^(\S+) was removed from enum type (\S+)\.$/.exec(description) ?? [];
    return `${name}.${value}`;
  }
  if (type === BreakingChangeType.ARG_REMOVED) {
    const [, field = '', arg = ''] = /^(\S+) arg (\S+) was removed\.$/.exec(description) ?? [];
    return `${field}(${arg}:)`;
  }
  return type === BreakingChangeType.FIELD_REMOVED ? (/^(\S+) was removed\.$/.exec(description)?.[1] ?? '') : '';
}

function daysSince(reason: string, today: string): number {
  const day = SINCE.exec(reason)?.[1];
  return day === undefined ? 0 : (Date.parse(today) - Date.parse(day)) / 86_400_000;
}

/** A field, an argument, or a value of an enum. Only arguments and input fields may have a default. */
interface Element {
  readonly deprecationReason?: string | null | undefined;
  readonly type?: GraphQLOutputType | GraphQLInputType;
  readonly defaultValue?: unknown;
}

/** The elements of each type of a schema, by name: fields, arguments such as `dids(first:)`, and enum values. */
function elementsIn(schema: GraphQLSchema): ReadonlyMap<string, ReadonlyMap<string, Element>> {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  return new Map(
    types.map((type) => {
      const elements = new Map<string, Element>();
      if (isEnumType(type)) for (const value of type.getValues()) elements.set(value.name, value);
      if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) elements.set(field.name, field);
      if (isObjectType(type) || isInterfaceType(type))
        for (const field of Object.values(type.getFields())) {
          elements.set(field.name, field);
          for (const arg of field.args) elements.set(`${field.name}(${arg.name}:)`, arg);
        }
      return [type.name, elements];
    }),
  );
}

/** The reasons of what is deprecated, by the coordinate of the element. */
function deprecationsIn(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [type, elements] of elementsIn(schema))
    for (const [name, { deprecationReason }] of elements)
      if (typeof deprecationReason === 'string') found.set(`${type}.${name}`, deprecationReason);
  return found;
}

/** What a schema adds: new types, and the new elements of each type that existed. */
function additions(released: GraphQLSchema, current: GraphQLSchema): readonly string[] {
  const before = elementsIn(released);
  const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const types: string[] = [];
  const lines: string[] = [];
  for (const [type, elements] of [...elementsIn(current)].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const known = before.get(type);
    if (!known) types.push(type);
    else {
      // The arguments of a new field are new with it.
      const isNew = (name: string): boolean =>
        !known.has(name) && (!name.includes('(') || known.has(name.slice(0, name.indexOf('('))));
      const names = [...elements.keys()].filter(isNew).sort();
      if (names.length > 0) lines.push(`\`${type}\`: ${code(names)}`);
    }
  }
  return [...(types.length > 0 ? [`Types: ${code(types)}`] : []), ...lines];
}

/**
 * The arguments and input fields, such as `Query.dids(first:)` and `DIDOrder.direction`, that may not be left out any more,
 * because their default was removed. graphql does not report them: their type is the same.
 */
function withoutDefault(released: GraphQLSchema, current: GraphQLSchema): readonly string[] {
  const before = elementsIn(released);
  return [...elementsIn(current)].flatMap(([type, elements]) =>
    [...elements].flatMap(([name, { type: of, defaultValue }]) => {
      const hadDefault = before.get(type)?.get(name)?.defaultValue !== undefined;
      return hadDefault && defaultValue === undefined && isNonNullType(of) ? [`${type}.${name}`] : [];
    }),
  );
}

/** Removes descriptions, which make up most of a schema and change nothing for programs. */
function withoutDescriptions(schema: string): string {
  return print(
    visit(parse(schema, { noLocation: true }), {
      enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
    }),
  );
}

/** The section of the changelog for changes. */
function sectionOf(heading: string, { breaking, deprecated, changed, added }: SchemaChanges): string {
  const parts = Object.entries({ Breaking: breaking, Deprecated: deprecated, Changed: changed, Added: added })
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `### ${title}\n\n${lines.map((line) => `- ${line}\n`).join('')}`);
  return [`## ${heading}\n`, ...(parts.length > 0 ? parts : ['Nothing has changed.\n'])].join('\n');
}

/** The page with its newest section, and the sections of older versions. */
function pageOf(newest: string, older: string): string {
  return `${[HEAD, newest, older].join('\n').trimEnd()}\n`;
}

const FILES = {
  released: 'schema/released.graphql',
  current: 'schema/schema.graphql',
  changelog: 'schema/CHANGELOG.md',
};

const HEAD = `# Changes of the GraphQL schema

\`npm run schema\` writes this page. [docs/versioning.md](../docs/versioning.md) says what counts as breaking.
`;

/**
 * Compares the schema in a folder with that of the last release, and writes the changelog. If something is wrong, writes
 * nothing, and returns the problems.
 */
export function updateChangelog(folder: string, today: string): readonly string[] {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const [released, text] = [read(FILES.released), read(FILES.current)];
  const [, last = ''] = /^# (\S+)\n/.exec(released) ?? [];
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  const current = buildSchema(text);
  const [, listed = ''] = /<!-- announced -->([^]*?)<!-- \/announced -->/.exec(read('docs/versioning.md')) ?? [];
  const announcements = listed.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []));
  const changes = schemaChanges(buildSchema(released), current, announcements, today);
  const problems = [
    ...changes.unannounced.map((each) => `${each} Announce it in docs/versioning.md`),
    ...undatedDeprecations(current).map((name) => `${name}: its @deprecated must begin with "Since YYYY-MM-DD: "`),
  ];
  if (problems.length > 0) return problems;
  const older = /\n(## \d[^]*)$/.exec(read(FILES.changelog))?.[1] ?? '';
  if (version === last) {
    write(FILES.changelog, pageOf(sectionOf(`Unreleased, since ${last}`, changes), older));
    return [];
  }
  // A new version: its schema is what later ones are compared with.
  const [, date] = new RegExp(`^## ${version.replaceAll('.', '\\.')} - (\\S+)`, 'm').exec(read('CHANGELOG.md')) ?? [];
  if (date === undefined)
    return [`CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD" for the version of package.json`];
  write(FILES.changelog, pageOf(sectionOf(`${version} - ${date}`, changes), older));
  write(FILES.released, `# ${version}\n\n${withoutDescriptions(text)}\n`);
  return [];
}

if (require.main === module) {
  const problems = updateChangelog('.', new Date().toISOString().slice(0, 10));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
