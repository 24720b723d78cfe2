import { IPv6 } from 'ipaddr.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Compares the hosts of gateways, not their spellings. Of two gateways that are the same since then, one keeps its spelling: both
 * exist, and neither is changed.
 */
export class GatewayHosts1764500000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const rows = (await runner.query(
      "SELECT id, host, identity FROM gateways WHERE identity LIKE '[%' OR host LIKE '%.' ORDER BY id",
    )) as readonly { readonly id: number; readonly host: string; readonly identity: string }[];
    for (const { id, host, identity } of rows) {
      // The identity of a gateway that is being changed is no host.
      if (!identity.startsWith(`${host}|`)) continue;
      const compared = comparableHost(host) + identity.slice(host.length);
      const taken = (await runner.query('SELECT id FROM gateways WHERE identity = ?', [compared])) as readonly object[];
      if (taken.length === 0) await runner.query('UPDATE gateways SET identity = ? WHERE id = ?', [compared, id]);
    }
  }

  // The previous version finds gateways by what it wrote itself.
  async down(runner: QueryRunner): Promise<void> {
    const { type } = runner.dataSource.options;
    const parts = ['host', "COALESCE(port, '')", "COALESCE(username, '')"];
    const joined = type === 'better-sqlite3' ? parts.join(" || '|' || ") : `CONCAT(${parts.join(", '|', ")})`;
    await runner.query(`UPDATE gateways SET identity = ${joined} WHERE host LIKE '[%' OR host LIKE '%.'`);
  }
}

function comparableHost(host: string): string {
  return host.startsWith('[') ? `[${IPv6.parse(host.slice(1, -1)).toRFC5952String()}]` : host.replace(/\.$/, '');
}
