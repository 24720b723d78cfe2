import { inspect } from 'node:util';

import { ClientError, createClient } from '../src/client/client';
import { onEachDatabase } from './support/on-each-database';

onEachDatabase('Secrets', (subject) => {
  test('the error of a failed sign-in holds nothing of what the client sent', async () => {
    const { app } = subject();
    const client = createClient(`${app.url}/graphql`, 'the-token-of-the-client');
    const failure: unknown = await client
      .CreateToken({ username: 'admin', secret: 'a-wrong-secret' })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClientError);
    expect(failure).toMatchObject({
      message: 'The name or the secret is wrong',
      response: { status: 200, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
    const everything = inspect(failure, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(failure);
    expect(everything).not.toMatch(/a-wrong-secret|the-token-of-the-client/);
  });

  test.each([
    ['GET', '/api/v1beta1/token', undefined],
    ['GET', '/api/v1beta1/credentials', undefined],
    ['GET', '/api/v1beta1/agents', undefined],
    ['GET', '/api/v1beta1/agents/none', undefined],
    ['POST', '/graphql', '{"query":"{ viewer { username } }"}'],
  ])('no cache keeps the answer to %s %s', async (method, path, body) => {
    const { app } = subject();
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        authorization: /token|credentials/.test(path)
          ? `Basic ${Buffer.from(`admin:${app.adminSecret}`).toString('base64')}`
          : `Bearer ${await app.token()}`,
      },
      ...(body !== undefined && { body }),
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
