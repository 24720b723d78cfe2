import { GraphError } from './graph-error';
import { post, type PostOptions, type Variables } from './post';
import { endSession, readRole, signedIn } from './session';

/**
 * Sends a query or mutation as the user who is signed in. If the token is no longer valid, waits until the user has
 * signed in again, and then sends it again: a refused request had no effect. Throws a GraphError.
 */
export async function request<Data>(query: string, variables: Variables = {}, options?: PostOptions): Promise<Data> {
  const { token } = await signedIn();
  try {
    return await post<Data>(query, variables, token, options);
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    if (error.code === 'FORBIDDEN') void readRole(token).catch(() => undefined);
    if (error.code !== 'UNAUTHENTICATED') throw error;
    endSession(token);
    return request(query, variables, options);
  }
}

export { subscribe } from './subscribe';
export { GraphError } from './graph-error';
