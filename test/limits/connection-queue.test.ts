import { createConnection } from 'mysql2/promise';

import { eventually } from '../support/eventually';
import { newMetrics } from '../support/metrics';
import { onEachDriver } from '../support/databases/on-each-database';

// More than the 100 for each of the four connections, and than these.
const WRITES = 470;

onEachDriver(
  'Writes that wait for a connection',
  (subject, database) => {
    test('are bounded: further ones get 503 with Retry-After, and the others are served', async () => {
      // SQLite has no connections to wait for.
      if (database === 'SQLite') return;
      const { app, url } = subject();
      const token = await app.token();
      const other = await createConnection(url);
      await other.query('BEGIN');
      await other.query('SELECT * FROM users FOR UPDATE');
      const create = 'mutation { createApiToken(name: "a", role: VIEWER) { token } }';
      let refused = 0;
      const writes = Array.from({ length: WRITES }, async () => {
        const { errors } = await app.graphql(create);
        const { code, retryAfter } = errors?.[0]?.extensions ?? {};
        if (code === 'UNAVAILABLE') refused++;
        return [code, typeof retryAfter];
      });
      await eventually(5, () => expect(refused).toBeGreaterThanOrEqual(50), 20);
      const waiting = /^sipgraph_database_waiting\{pool="write"\} (\d+)$/m.exec(await newMetrics(app.url, token))?.[1];
      expect(Number(waiting)).toBeGreaterThan(0);
      await other.query('ROLLBACK');
      await other.end();
      const answers = await Promise.all(writes);
      // A user has at most 50 API tokens.
      const known = [
        [undefined, 'undefined'],
        ['CONFLICT', 'undefined'],
        ['UNAVAILABLE', 'number'],
      ];
      for (const answer of answers) expect(known).toContainEqual(answer);
      expect(answers.filter(([code]) => code === undefined)).toHaveLength(50);
    });
  },
  { DATABASE_POOL: '4', MAX_REQUESTS: '1000' },
);
