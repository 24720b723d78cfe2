import { runSql } from './sql';

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

/** Creates `count` DIDs on one gateway, whose addresses of record take long to match. */
export async function fillDids(url: string, count: number): Promise<void> {
  const gateway = 'ref, created_on, modified_on, name, host, username, transport, identity';
  await fill(url, 'gateways', gateway, 1, () => ['gw', 1, 1, 'gw', 'gw.test', 'user', 'udp', 'gw']);
  const number = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
  const user = 'a'.repeat(220);
  await fill(url, 'numbers', number, count, (n) => [
    ...[`dd${String(n)}`, n, n, 'DID', 1, `tel:+${String(n)}`, `sip:${user}@b.test`, String(n), user, 'b.test'],
  ]);
  if (!url.startsWith('sqlite:')) await runSql(url, 'ANALYZE TABLE gateways, numbers');
}
