import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fetchToken, startApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { onEachDriver } from '../support/databases/on-each-database';

const SECRET = 'the secret of a user';

/** A log, and its security events. */
function logged() {
  const lines: string[] = [];
  return {
    lines,
    write: (line: string) => void lines.push(line),
    events: (name: string) =>
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === name),
  };
}

const basic = (username: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
});

onEachDriver('Security events', (subject) => {
  async function start(env: Readonly<Record<string, string>> = {}) {
    const log = logged();
    const app = await startApp({ DATABASE_URL: subject().url, LOG_LEVEL: 'info', TRUST_PROXY: '1', ...env }, log);
    return { app, log };
  }

  test('sign-ins, rejected tokens and operations refused by role are logged with user, address and request', async () => {
    const { app, log } = await start();
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    // With a line end, what clears a terminal, and what turns the text around.
    const hostile = 'eve\n{forged}\u009b2J\u202e';
    const failed = await app.rest('GET', '/token', {
      token: null,
      headers: { ...headers, ...basic(hostile, 'a wrong secret') },
    });
    expect(log.events('sign-in-failed')).toMatchObject([
      {
        level: 'warn',
        user: hostile,
        address: '198.51.100.7',
        requestId: failed.headers.get('x-request-id'),
      },
    ]);
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { username: 'told', secret: SECRET, role: 'VIEWER' },
    });
    expect(log.events('user-created')).toMatchObject([{ user: 'admin', target: 'told', role: 'viewer' }]);
    const token = await fetchToken(app.url, 'told', SECRET);
    expect(log.events('sign-in')).toMatchObject([{ user: 'admin' }, { user: 'told', address: '127.0.0.1' }]);
    await app.rest('DELETE', '/gateways/x', { token, headers });
    expect(log.events('refused-by-role')).toMatchObject([{ user: 'told', address: '198.51.100.7' }]);
    await app.rest('GET', '/gateways', { token: 'not.a.token', headers });
    expect(log.events('token-refused')).toMatchObject([{ address: '198.51.100.7' }]);
    // A name cannot start a new line, nor control a terminal, and no secret is logged.
    expect(log.lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line.replace(/\n$/, '')))).toEqual([]);
    for (const secret of ['a wrong secret', SECRET, 'not.a.token', token])
      expect(log.lines.join('')).not.toContain(secret);
    await app.close();
  });

  test('changes of secrets and roles, and deletions, are logged with the user who made them', async () => {
    const { app, log } = await start();
    const { data } = await app.graphql<{ createUser: { ref: string } }>(
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }',
      { input: { username: 'changed', secret: SECRET, role: 'VIEWER' } },
    );
    const { ref } = data.createUser;
    await app.graphql('mutation ($ref: String!) { setUserSecret(ref: $ref, secret: "another secret") { ref } }', {
      ref,
    });
    await app.graphql('mutation ($ref: String!) { setUserRole(ref: $ref, role: OPERATOR) { ref } }', { ref });
    await app.graphql('mutation ($ref: String!) { deleteUser(ref: $ref) }', { ref });
    expect(log.events('secret-changed')).toMatchObject([{ user: 'admin', target: 'changed' }]);
    expect(log.events('role-changed')).toMatchObject([{ user: 'admin', target: 'changed', role: 'operator' }]);
    expect(log.events('user-deleted')).toMatchObject([{ user: 'admin', target: ref }]);
    expect(log.lines.join('')).not.toContain('another secret');
    await app.close();
  });

  test('changes of users by the command line and by an import are logged to standard error', async () => {
    const told = async (...args: readonly string[]): Promise<readonly object[]> => {
      const { err, code } = await runCommand({ DATABASE_URL: subject().url, LOG_LEVEL: 'info' }, ...args);
      expect(code).toBe(0);
      expect(err).not.toContain('a-secret');
      return err
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { event: string; target: string; role: string })
        .map(({ event, target, role }) => ({ event, target, role }));
    };
    expect(await told('user', 'add', 'cleo', '--secret', 'a-secret-1')).toEqual([
      { event: 'user-created', target: 'cleo', role: 'operator' },
    ]);
    const file = join(await mkdtemp(join(tmpdir(), 'sipgraph-events-')), 'users.yml');
    const user = (name: string, role: string, secret: string): string =>
      `- {kind: User, spec: {role: ${role}, credentials: {username: ${name}, secret: ${secret}}}}\n`;
    await writeFile(file, user('cleo', 'viewer', 'a-secret-2') + user('dora', 'operator', 'a-secret-3'));
    expect(await told('import', file, '--dry-run')).toEqual([]);
    expect(await told('import', file)).toEqual([
      { event: 'secret-changed', target: 'cleo', role: 'viewer' },
      { event: 'role-changed', target: 'cleo', role: 'viewer' },
      { event: 'user-created', target: 'dora', role: 'operator' },
    ]);
    expect(await told('import', file)).toEqual([]);
    expect(await told('user', 'delete', 'dora')).toEqual([{ event: 'user-deleted', target: 'dora', role: 'operator' }]);
  });

  test('requests refused by budget are logged, and repeated ones are counted', async () => {
    const { app, log } = await start({ RATE_LIMIT_ANONYMOUS: '20' });
    await Promise.all(Array.from({ length: 200 }, () => app.rest('GET', '/gateways', { token: null })));
    expect(log.events('refused-by-budget')).toHaveLength(10);
    await app.close();
    const [{ count, most } = {}] = log.events('events-suppressed');
    expect(count).toBeGreaterThan(100);
    expect(most).toMatchObject([{ event: 'refused-by-budget', network: '127.0.0.1' }]);
  });
});
