import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';

import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

/** Fields whose value depends on when they are read. */
const BY_TIME = ['availability'];
/** How many levels of objects below a field are selected. */
const LEVELS = 2;

/** Selects everything below a type, at most some levels of objects. Undefined if that is nothing. */
function below(type: GraphQLNamedType, schema: GraphQLSchema, levels: number): string | undefined {
  if (isLeafType(type)) return '';
  if (levels === 0) return undefined;
  if (isAbstractType(type))
    return `{ ${schema
      .getPossibleTypes(type)
      .map((each) => `... on ${each.name} { ref }`)
      .join(' ')} }`;
  return isObjectType(type) ? `{ ${fieldsOf(type.name, schema, levels - 1).join(' ')} }` : undefined;
}

function fieldsOf(type: string, schema: GraphQLSchema, levels: number): string[] {
  const found = schema.getType(type);
  if (!isObjectType(found)) throw new Error(`${type} is no object type`);
  return Object.values(found.getFields()).flatMap((field) => {
    const selection = below(getNamedType(field.type), schema, levels);
    return selection === undefined || BY_TIME.includes(field.name) || field.args.some(isRequiredArgument)
      ? []
      : [`${field.name} ${selection}`];
  });
}

onEachDriver('The answer of an update', (subject) => {
  let schema: GraphQLSchema;
  const refs = new Map<string, string>();

  beforeAll(async () => {
    const { app } = subject();
    schema = buildClientSchema((await app.graphql<IntrospectionQuery>(getIntrospectionQuery())).data);
    const gatewayRef = await createGateway(app, { username: 'u', secret: 's', destinations: [{ host: 'd.test' }] });
    const numberRef = await createNumber(app, {
      gatewayRef,
      aorLink: 'sip:a@answers.test',
      furtherTargets: ['sip:p@answers.test'],
    });
    const egressPolicy = { rule: '.*', numberRef };
    const domainRef = await createDomain(app, { domainUri: 'answers.test', egressPolicy });
    refs.set('Gateway', gatewayRef);
    refs.set('Number', numberRef);
    refs.set('Domain', domainRef);
    refs.set('DID', await createDid(app, { gatewayRef, aorLink: 'sip:a@answers.test', geoInfo: { city: 'Bonn' } }));
    refs.set('Agent', await createAgent(app, { username: 'a', domains: ['answers.test'] }));
    refs.set('Peer', await createPeer(app, { username: 'p' }));
    refs.set(
      'Route',
      await createRoute(app, { domainRef, numberRefs: [numberRef], shares: [{ priority: 1, weight: 1 }] }),
    );
  });

  test.each(['Gateway', 'Number', 'Domain', 'DID', 'Agent', 'Peer', 'Route'])(
    'and of its dry run has each field of a kind that a read has: %s',
    async (kind) => {
      const { app } = subject();
      const ref = refs.get(kind) ?? '';
      const query = kind === 'DID' ? 'did' : kind.toLowerCase();
      const now = new Date().toISOString();
      const answer = async (text: string): Promise<unknown> => {
        const { data, errors } = await app.graphql<{ read: unknown } | null>(text);
        return errors ? errors.map(({ message, extensions }) => [extensions['code'], message]) : data?.read;
      };
      for (const field of fieldsOf(kind, schema, LEVELS)) {
        const read = await answer(`{ read: ${query}(ref: "${ref}") { ${field} } }`);
        expect([field, Array.isArray(read)]).toEqual([field, false]);
        for (const dryRun of [true, false]) {
          const update = `update${kind}(ref: "${ref}", input: {}, dryRun: ${String(dryRun)})`;
          expect([field, await answer(`mutation { read: ${update} { ${field} } }`)]).toEqual([field, read]);
        }
        const past = await answer(`{ read: ${query}(ref: "${ref}", asOf: "${now}") { ${field} } }`);
        const refused = [['BAD_USER_INPUT', 'asOf: returns the fields of a resource only: select no links']];
        expect([field, past]).toEqual([field, Array.isArray(past) ? refused : read]);
      }
    },
  );
});
