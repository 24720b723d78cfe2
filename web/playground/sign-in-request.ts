import { post } from './request';
import { endOnServer, type Session } from './session';

interface TokenAnswer {
  readonly data?: { readonly createToken: { readonly token: string; readonly role: string } } | null;
  readonly errors?: readonly { readonly message: string }[];
}

const CREATE_TOKEN = `mutation SignIn($username: String!, $secret: String!) {
  createToken(username: $username, secret: $secret) { token role }
}`;

/** Signs in. Throws an Error with a message for the user. */
export async function signIn(username: string, secret: string): Promise<Session> {
  const { data, errors } = (await post({ query: CREATE_TOKEN, variables: { username, secret } })) as TokenAnswer;
  if (!data) throw new Error(errors?.[0]?.message ?? 'The server did not respond');
  return { username, ...data.createToken };
}

/** Ends a session on the server. */
export async function signOut({ token }: Session): Promise<void> {
  await endOnServer(async (query, variables) => {
    const answer = (await post({ query, variables }, { authorization: `Bearer ${token}` })) as { data?: unknown };
    return answer.data;
  });
}
