import { createClient, type ClientOptions } from './client.js';

/**
 * A token, or a function that returns one. It is called before the first request, and again when the token is rejected.
 */
export type TokenSource = string | (() => string | Promise<string>);

/** Returns a token source that signs in with a name and secret, and signs in again when the token is rejected. */
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
      // The next request tries again.
      this.current = undefined;
      throw error;
    }
  }

  /** Discards a token that the server rejected. Returns false if no other token can be obtained. */
  async drop(refused: string | undefined): Promise<boolean> {
    if (typeof this.source !== 'function') return false;
    // Another request may already have replaced it.
    if ((await this.current?.catch(() => undefined)) === refused) this.current = undefined;
    return true;
  }
}
