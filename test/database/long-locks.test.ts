import { createConnection } from 'mysql2/promise';

import { createGateway } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';

onEachDatabase('A resource that another transaction keeps locked', (subject, database) => {
  test('is not changed, and the error says that a longer change keeps it', async () => {
    if (database === 'SQLite') return; // sqlite-locks.test.ts
    const { app, url } = subject();
    const ref = await createGateway(app);
    const other = await createConnection(url);
    try {
      await other.beginTransaction();
      await other.query('SELECT id FROM gateways WHERE ref = ? LOCK IN SHARE MODE', [ref]);
      const { errors } = await app.graphql(
        'mutation ($ref: String!) { updateGateway(ref: $ref, input: { draining: true }) { ref } }',
        { ref },
      );
      expect(errors).toMatchObject([
        {
          message: 'The database cannot change what a longer change, such as an import, keeps locked; try again later',
          extensions: { code: 'UNAVAILABLE', retryAfter: 5 },
        },
      ]);
    } finally {
      await other.end();
    }
  });
});
