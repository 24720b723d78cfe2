import { ClientError as RequestError, GraphQLClient } from 'graphql-request';

import { getSdk } from './operations';

export type * from './operations';
export type * from './schema-types';

/** A typed client of a sipgraph: a method for each operation of src/client. */
export type Client = ReturnType<typeof getSdk>;

/** A request that failed: what the server answered, and nothing of what was sent to it, which may include secrets. */
export class ClientError extends Error {
  override readonly name = 'ClientError';

  constructor(readonly response: Pick<RequestError['response'], 'status' | 'errors' | 'data'>) {
    super(response.errors?.[0]?.message ?? `The server answered with HTTP status ${String(response.status)}`);
  }
}

/** A client of the sipgraph at `url` (its /graphql), for the user of the token. Its methods throw ClientError. */
export function createClient(url: string, token?: string): Client {
  return getSdk(
    new GraphQLClient(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      // graphql-request's own error prints the variables, and holds the request's headers.
      responseMiddleware: (response) => {
        if (!(response instanceof RequestError)) return;
        const { status, errors, data } = response.response;
        throw new ClientError({ status, data, ...(errors && { errors }) });
      },
    }),
  );
}
