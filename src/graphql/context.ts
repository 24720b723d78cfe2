import type { GraphQLResolveInfo } from 'graphql';
import type { Logger } from 'pino';

import { UnavailableError } from '../errors';
import type { AppSession, Entrance } from '../services';

/** What the transport knows of a request. */
export interface Caller {
  readonly token: string | undefined;
  /** The network address, for the limit of failed sign-ins. */
  readonly address: string;
  readonly requestId: string;
  readonly log: Logger;
}

/** What resolvers are given for one request. */
export interface Context {
  /** The services, for the user whose token came with the request; throws UnauthenticatedError without a valid one. */
  readonly session: AppSession;
  readonly authenticator: Entrance['authenticator'];
  readonly caller: Caller;
  /** What is made once for a field of this request, such as its loader. */
  once<T>(info: GraphQLResolveInfo, make: () => T): T;
}

/**
 * Opens the session of a request. Without a valid token there is a context all the same, whose `session` throws; without
 * a database there is none.
 */
export async function createContext(entrance: Entrance, caller: Caller): Promise<Context> {
  const session = await entrance.access.open(caller.token).catch((error: unknown) => {
    if (error instanceof UnavailableError) throw error;
    return { error };
  });
  const made = new Map<GraphQLResolveInfo['fieldNodes'], unknown>();
  return {
    get session() {
      if ('error' in session) throw session.error;
      return session;
    },
    authenticator: entrance.authenticator,
    caller,
    // The nodes of a field are the same array for all objects of a list, which is what a loader has to be shared by.
    once: <T>({ fieldNodes }: GraphQLResolveInfo, make: () => T): T => {
      const known = made.get(fieldNodes);
      if (known !== undefined) return known as T; // made by this field's own resolver
      const value = make();
      made.set(fieldNodes, value);
      return value;
    },
  };
}
