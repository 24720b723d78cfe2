import { runSql } from '../../support/databases/sql';

/** A place that does not respond to OPTIONS: the host of a gateway, its outbound proxy, or a destination. */
export interface DownPlace {
  readonly ref: string;
  readonly isHost: boolean;
  readonly host: string;
  /** 0 for that of the transport. */
  readonly port: number;
  readonly transport: string;
}

/** Stores places as down, as the SIP server does after three misses. */
export async function storeDown(url: string, places: readonly DownPlace[]): Promise<void> {
  for (const { ref, isHost, host, port, transport } of places)
    await runSql(
      url,
      `INSERT INTO ${isHost ? 'gateway_health' : 'destination_health'}
         (gw_ref, host, port, transport, state, since, checked_on, misses, answers, expires_at)
       VALUES (?, ?, ?, ?, 'DOWN', ?, ?, 3, 0, ?)`,
      [ref, host, port, transport.toLowerCase(), Date.now(), Date.now(), Date.now() + 3_600_000],
    );
}
