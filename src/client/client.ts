import { GraphQLClient } from 'graphql-request';

import { getSdk } from './operations';

export { ClientError } from 'graphql-request';
export type * from './operations';
export type * from './schema-types';

/** A typed client of a sipgraph: a method for each operation of src/client. */
export type Client = ReturnType<typeof getSdk>;

/** A client of the sipgraph at `url` (its /graphql), for the user of the token. */
export function createClient(url: string, token?: string): Client {
  return getSdk(new GraphQLClient(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }));
}
