import { createConnection } from 'mysql2/promise';

import { startApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createDid, createGateway } from '../support/factories';
import { fill } from '../support/many';
import { migrate } from '../support/databases/migrated';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const AOR = 'sip:anna@keys.test';

onEachDatabase('The keys of numbers', (subject) => {
  let gatewayRef: string;
  let otherRef: string;

  beforeAll(async () => {
    gatewayRef = await createGateway(subject().app);
    otherRef = await createGateway(subject().app);
  });

  test('are repaired at startup, where the previous version has changed the digits of numbers', async () => {
    const { app, url } = subject();
    const into = await createDid(app, { gatewayRef: otherRef, aorLink: AOR, telUrl: 'tel:+4930700' });
    const outOf = await createDid(app, { gatewayRef: otherRef, aorLink: AOR, telUrl: 'tel:+4930899' });
    // As the previous version changes them: it does not know the key.
    for (const [ref, digits] of [
      [into, '4930850'],
      [outOf, '4930950'],
    ] as const)
      await runSql(url, 'UPDATE numbers SET tel_url = ?, tel_digits = ? WHERE ref = ?', [
        `tel:+${digits}`,
        digits,
        ref,
      ]);
    const next = await startApp({ DATABASE_URL: url });
    try {
      await eventually(5, async () => {
        expect(await runSql(url, 'SELECT digits_key FROM numbers ORDER BY id')).toEqual([['074930850'], ['074930950']]);
      });
      const range = async (start: string): Promise<string> => {
        const { errors } = await next.graphql(
          'mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }',
          { input: { gatewayRef, aorLink: AOR, telUrl: `tel:+${start}00`, lastTelUrl: `tel:+${start}99` } },
        );
        return errors?.[0]?.message ?? 'accepted';
      };
      expect(await range('49308')).toContain(`DID ${into} (tel:+4930850), of gateway ${otherRef}, inside`);
      expect(await range('49307')).toBe('accepted');
    } finally {
      await next.close();
    }
  });

  test('are committed in pieces by a migration that runs again after its process was killed', async () => {
    const { url } = subject();
    const isSqlite = url.startsWith('sqlite:');
    const [row] = await runSql(url, 'SELECT id FROM gateways WHERE ref = ?', [gatewayRef]);
    const columns = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
    await fill(url, 'numbers', columns, 12_000, (n) => {
      const digits = `43${String(n).padStart(9, '0')}`;
      return [`kk${String(n)}`, 1, 1, 'DID', Number(row?.[0]), `tel:+${digits}`, AOR, digits, 'anna', 'keys.test'];
    });
    // The process was killed after its DDL statements, which only servers leave.
    if (isSqlite) {
      await runSql(url, 'DROP INDEX numbers_digits_key');
      await runSql(url, 'ALTER TABLE numbers DROP COLUMN digits_key');
      await runSql(url, 'DROP TABLE number_guards');
    }
    await runSql(url, "DELETE FROM migrations WHERE name = 'DigitsKeys1764300000000'");
    const missing = async (): Promise<number> => {
      const [[count] = []] = await runSql(url, 'SELECT COUNT(*) FROM numbers WHERE digits_key IS NULL');
      return Number(count);
    };
    // On SQLite, the migration is one transaction.
    const holder = isSqlite ? undefined : await createConnection(url);
    try {
      await holder?.beginTransaction();
      const [[last] = []] = await runSql(url, 'SELECT MAX(id) FROM numbers');
      await holder?.query('SELECT id FROM numbers WHERE id = ? FOR UPDATE', [last]);
      const migrating = migrate(url);
      if (holder)
        await eventually(5, async () => {
          expect(await missing()).toBeLessThan(12_000);
        });
      await holder?.rollback();
      expect(await migrating).toBe(1);
      expect(await missing()).toBe(0);
    } finally {
      await holder?.end();
    }
  });
});
