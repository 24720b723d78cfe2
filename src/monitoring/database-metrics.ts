import { Counter, Gauge, type Registry } from 'prom-client';

import type { Database } from '../database/database';

/** The part of the database that the metrics read. */
export type DatabaseSource = Pick<Database, 'observer' | 'poolUse' | 'host' | 'replicaLags' | 'heavyReads'>;

/** Adds the metrics of the database: statements, failures, and the use of the connections. */
export function registerDatabaseMetrics(registry: Registry, database: DatabaseSource): void {
  const registers = [registry];
  new Counter({
    name: 'sipgraph_sql_statements_total',
    help: 'SQL statements that ended, except upkeep, by outcome. `cancelled` includes those that were not sent any more.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(database.observer.statements)) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'sipgraph_sql_failures_total',
    help: 'Reads and transactions that failed in the database, by reason. Each attempt of a transaction counts.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(database.observer.failures)) this.inc({ reason }, count);
    },
  });
  const ofPools = (name: string, help: string, field: 'size' | 'used' | 'waiting'): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const use of database.poolUse()) this.set({ pool: use.pool }, use[field]);
      },
    });
  ofPools('sipgraph_database_connections_max', 'Connections that a pool may have.', 'size');
  ofPools('sipgraph_database_connections_used', 'Connections in use.', 'used');
  ofPools('sipgraph_database_waiting', 'Callers that wait for a connection of a pool.', 'waiting');
  if (database.host) registerHost(registry, database);
  if (database.replicaLags) registerReplicas(registry, database);
}

function registerHost(registry: Registry, database: DatabaseSource): void {
  new Gauge({
    name: 'sipgraph_database_host',
    help: 'The database server in use: 1. None if no server can be used.',
    labelNames: ['host'],
    registers: [registry],
    collect() {
      this.reset();
      const name = database.host?.name;
      if (name !== undefined) this.set({ host: name }, 1);
    },
  });
  new Gauge({
    name: 'sipgraph_database_lag_seconds',
    help: 'Age of the oldest change that another database server had and the one in use does not have.',
    registers: [registry],
    collect() {
      this.set(database.host?.lag ?? NaN);
    },
  });
}

function registerReplicas(registry: Registry, database: DatabaseSource): void {
  new Gauge({
    name: 'sipgraph_replica_lag_seconds',
    help: 'How far a replica is behind the primary. NaN if the replica is not used.',
    labelNames: ['host'],
    registers: [registry],
    collect() {
      for (const { name, lag } of database.replicaLags ?? []) this.set({ host: name }, lag ?? NaN);
    },
  });
}
