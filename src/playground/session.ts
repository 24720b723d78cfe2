import { post } from './request';

const KEY = 'sipgraph-session';

/** Who is signed in, in this tab. */
export interface Session {
  readonly username: string;
  readonly role: string;
  readonly token: string;
}

/** The session of this tab, if there is one: sessionStorage ends with the tab. */
export function loadSession(): Session | undefined {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as Session); // as saveSession wrote it
}

/** Keeps the session for this tab; undefined ends it. */
export function saveSession(session: Session | undefined): void {
  if (session) sessionStorage.setItem(KEY, JSON.stringify(session));
  else sessionStorage.removeItem(KEY);
}

interface TokenAnswer {
  readonly data?: { readonly createToken: { readonly token: string; readonly role: string } } | null;
  readonly errors?: readonly { readonly message: string }[];
}

const CREATE_TOKEN = `mutation SignIn($username: String!, $secret: String!) {
  createToken(username: $username, secret: $secret) { token role }
}`;

/** Signs in; throws an Error whose message can be shown. */
export async function signIn(username: string, secret: string): Promise<Session> {
  const { data, errors } = (await post({ query: CREATE_TOKEN, variables: { username, secret } })) as TokenAnswer;
  if (!data) throw new Error(errors?.[0]?.message ?? 'The server did not answer');
  return { username, ...data.createToken };
}
