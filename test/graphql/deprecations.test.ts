import { buildSchema, parse } from 'graphql';

import { deprecationsOf } from '../../src/graphql/features/contract/deprecations';

const SCHEMA = `
  type Query {
    things(first: Int, old: Int @deprecated(reason: "x"), kind: Kind, in: In, kinds: [Kind!]): [Thing!]!
    gone: Int @deprecated(reason: "x")
  }
  interface Named { title: String @deprecated(reason: "x") }
  type Thing implements Named { name: String title: String @deprecated(reason: "x") }
  enum Kind { NEW OLD @deprecated(reason: "x") }
  input In { a: Int b: Int @deprecated(reason: "x") }
`;

test.each<[string, readonly string[]]>([
  ['{ things { name } }', []],
  ['{ gone again: gone }', ['Query.gone']],
  ['{ things { ...F } } fragment F on Named { title }', ['Named.title']],
  ['{ things { ... on Thing { title } } }', ['Thing.title']],
  ['{ things(old: 1) { name } }', ['Query.things(old:)']],
  ['query ($old: Int) { things(old: $old) { name } }', ['Query.things(old:)']],
  ['{ things(kind: OLD, kinds: [NEW, OLD]) { name title } }', ['Kind.OLD', 'Thing.title']],
  ['{ things(kind: NEW, in: { a: 1, b: 2 }) { name } }', ['In.b']],
])('%s uses what is deprecated: %j', (document, expected) => {
  expect(deprecationsOf(buildSchema(SCHEMA))(parse(document))).toEqual(expected);
});
