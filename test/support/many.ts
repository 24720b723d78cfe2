import { runSql } from './databases/sql';

/** Fills a table with this many rows, without the application. */
export async function fill(
  url: string,
  table: string,
  columns: string,
  count: number,
  row: (n: number) => readonly (string | number)[],
): Promise<void> {
  for (let from = 0; from < count; from += 2000) {
    const some = Array.from({ length: Math.min(2000, count - from) }, (_, n) => row(from + n));
    const places = some.map((each) => `(${each.map(() => '?').join(', ')})`).join(', ');
    await runSql(url, `INSERT INTO ${table} (${columns}) VALUES ${places}`, some.flat());
  }
}

/** The id of the row of a gateway. */
export async function gatewayIdOf(url: string, ref: string): Promise<number> {
  const [row] = await runSql(url, 'SELECT id FROM gateways WHERE ref = ?', [ref]);
  return Number(row?.[0]);
}

/** Creates `count` DIDs with these digits and one address of record, such as `anna@one.test`, as the previous version does. */
export async function fillNumbers(
  url: string,
  gatewayId: number,
  aor: string,
  count: number,
  digitsOf: (n: number) => string,
): Promise<void> {
  const columns = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
  const [user = '', host = ''] = aor.split('@');
  await fill(url, 'numbers', columns, count, (n) => {
    const digits = digitsOf(n);
    return [`dd${String(n)}`, n, n, 'DID', gatewayId, `tel:+${digits}`, `sip:${aor}`, digits, user, host];
  });
}

/** Creates `count` DIDs on one gateway, whose addresses of record take long to match. */
export async function fillDids(url: string, count: number): Promise<void> {
  const gateway = 'ref, created_on, modified_on, name, host, username, transport, identity';
  await fill(url, 'gateways', gateway, 1, () => ['gw', 1, 1, 'gw', 'gw.test', 'user', 'udp', 'gw']);
  await fillNumbers(url, 1, `${'a'.repeat(220)}@b.test`, count, String);
  if (!url.startsWith('sqlite:')) await runSql(url, 'ANALYZE TABLE gateways, numbers');
}
