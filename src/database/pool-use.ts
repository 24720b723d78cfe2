import type { Pool } from 'mysql2';

/** How many connections of a pool are in use, and how many callers wait for one. */
export interface PoolUse {
  readonly pool: string;
  readonly size: number;
  readonly used: number;
  readonly waiting: number;
}

/** Reads the state of a pool of mysql2, which publishes it only in these fields. */
export function poolUse(name: string, pool: Pool): PoolUse {
  const { _allConnections, _freeConnections, _connectionQueue, config } = pool as unknown as Internals;
  return {
    pool: name,
    size: config.connectionLimit,
    used: _allConnections.length - _freeConnections.length,
    waiting: _connectionQueue.length,
  };
}

interface Internals {
  readonly _allConnections: { readonly length: number };
  readonly _freeConnections: { readonly length: number };
  readonly _connectionQueue: { readonly length: number };
  readonly config: { readonly connectionLimit: number };
}
