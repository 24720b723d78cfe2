import { createConnection } from 'mysql2/promise';

import { assertRangesFree } from '../../src/resources/write/number-ranges';
import type { OwnTransaction, Row, SqlValue } from '../../src/database/sql';
import { createDid, createGateway } from '../support/factories';
import { fill } from '../support/many';
import { model } from '../support/model';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const LONGER = 20_000;
const AOR = 'sip:anna@plans.test';

onEachDatabase('Among numbers that are longer, a short range', (subject) => {
  let gatewayRef: string;
  let gatewayId: number;

  beforeAll(async () => {
    const { app, url } = subject();
    gatewayRef = await createGateway(app);
    const [row] = await runSql(url, 'SELECT id FROM gateways WHERE ref = ?', [gatewayRef]);
    gatewayId = Number(row?.[0]);
    // As the previous version writes them: without a key.
    const columns = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
    await fill(url, 'numbers', columns, LONGER, (n) => {
      const digits = `43${String(n).padStart(9, '0')}`;
      return [`dd${String(n)}`, 1, 1, 'DID', gatewayId, `tel:+${digits}`, AOR, digits, 'anna', 'plans.test'];
    });
    await createDid(app, { gatewayRef, aorLink: AOR, telUrl: 'tel:+100', lastTelUrl: 'tel:+199' });
    await runSql(url, url.startsWith('sqlite:') ? 'ANALYZE' : 'ANALYZE TABLE numbers');
  });

  test('completes the keys of numbers that the previous version has created', async () => {
    expect(
      await runSql(subject().url, "SELECT COUNT(*), MIN(digits_key) FROM numbers WHERE tel_digits LIKE '43%'"),
    ).toEqual([[LONGER, '1143000000000']]);
    expect(await runSql(subject().url, 'SELECT COUNT(*) FROM numbers WHERE digits_key IS NULL')).toEqual([[0]]);
  });

  test('finds the numbers inside with the index of their keys, and neither reads nor locks others', async () => {
    const { app, url } = subject();
    const isSqlite = url.startsWith('sqlite:');
    const asked: [string, readonly SqlValue[]][] = [];
    const connection = isSqlite ? undefined : await createConnection(url);
    const rows: OwnTransaction['rows'] = async (text, values) => {
      asked.push([text, values]);
      if (!connection) return (await runSql(url, text, values)) as readonly Row[];
      const [found] = await connection.query({ sql: text, rowsAsArray: true, values: [...values] });
      return found as unknown as readonly Row[]; // because of `rowsAsArray`
    };
    const transaction: OwnTransaction = {
      isSerial: isSqlite,
      clock: '0',
      hasNodes: () => Promise.resolve(false),
      beforeCommit: () => undefined,
      undoable: (work) => work(),
      undone: (work) => work(),
      run: () => Promise.reject(new Error('nothing is written')),
      rows,
    };
    const values = new Map([
      ['telUrl', 'tel:+42'],
      ['lastTelUrl', 'tel:+44'],
    ]);
    try {
      await connection?.beginTransaction();
      await assertRangesFree(transaction, model.kindOf('DID'), [{ gatewayId, values, actor: {} }]);
      // The transaction is open, except on SQLite, where it would lock the database.
      await createDid(app, { gatewayRef, aorLink: AOR, telUrl: 'tel:+4355501' });
    } finally {
      await connection?.end();
    }
    const reads = asked.filter(([text]) => text.includes('digits_key'));
    expect(reads).toHaveLength(2);
    for (const [whole, all] of reads) {
      // MySQL counts before it explains.
      const [text = whole] = /SELECT n\.id[^]*LIMIT \?/.exec(whole) ?? [];
      const given = text === whole ? all : all.slice(1);
      const plan = await runSql(url, `EXPLAIN ${isSqlite ? 'QUERY PLAN ' : ''}${text}`, given);
      const steps = plan.map((row) => row.map(String).join(' ')).filter((step) => /numbers_|\bn\b/.test(step));
      expect(steps.length).toBeGreaterThan(0);
      // MariaDB names the type of the join, and MySQL the operation.
      const seek = isSqlite
        ? /SEARCH .*numbers_digits_key/
        : /(range|ref) .*numbers_digits_key|(lookup|range scan) on \w+ using numbers_digits_key/;
      for (const step of steps) expect(step).toMatch(seek);
    }
  });
});
