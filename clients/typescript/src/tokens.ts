import { createClient, type ClientOptions } from './client.js';

/** A token, or a function that gives one: it is called before the first request and again once the token is refused. */
export type TokenSource = string | (() => string | Promise<string>);

/** A token source that signs in by name and secret, and signs in again when the token has ended. */
export function signIn(
  url: string,
  username: string,
  secret: string,
  options: Pick<ClientOptions, 'fetch'> = {},
): () => Promise<string> {
  const client = createClient(url, options);
  return async () => (await client.createToken({ username, secret })).createToken.token;
}

/** The current token of a client, shared by all of its requests. */
export class Tokens {
  private current: Promise<string> | undefined;

  constructor(private readonly source: TokenSource | undefined) {}

  async get(): Promise<string | undefined> {
    const { source } = this;
    if (typeof source !== 'function') return source;
    this.current ??= Promise.resolve(source());
    try {
      return await this.current;
    } catch (error) {
      // The next request asks again.
      this.current = undefined;
      throw error;
    }
  }

  /** Drops a token that the server refused; false where there is no way to another one. */
  async drop(refused: string | undefined): Promise<boolean> {
    if (typeof this.source !== 'function') return false;
    // Another request may have replaced it already.
    if ((await this.current?.catch(() => undefined)) === refused) this.current = undefined;
    return true;
  }
}
