import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { startSipgraph, tokenOf, type BenchServer } from '../servers';

const FEW = 10;
const MANY = 1000;
const CHANGES = 20;
const QUERY = 'subscription { resourceChanged { event cursor resource { ... on Gateway { ref name host } } } }';

/** Measures how soon a change reaches all subscribers of one process, and how much memory each subscriber uses. */
export async function benchmarkSubscribers(databases: readonly string[]): Promise<void> {
  console.log(`\n| database | subscribers | to all, median | to all, worst | heap of each | memory (RSS) of each |`);
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const name of databases) {
    const missing = name === 'mariadb' ? mariadbMissing() : undefined;
    if (missing) console.log(`MariaDB is skipped: ${missing}`);
    else await benchmark(await (name === 'mariadb' ? createMariadb : createSqlite)());
  }
}

async function benchmark(database: BenchDatabase): Promise<void> {
  const secret = randomBytes(16).toString('hex');
  const server = await startSipgraph({ DATABASE_URL: database.url, ADMIN_SECRET: secret });
  try {
    const token = await tokenOf(server, secret);
    // Warm up: the first subscriber loads code and caches that all share.
    await measure(server, token, FEW);
    for (const size of [FEW, MANY]) {
      console.log(`| ${database.name} | ${String(size)} | ${await measure(server, token, size)} |`);
    }
  } finally {
    await server.stop();
    await database.drop();
  }
}

async function measure(server: BenchServer, token: string, size: number): Promise<string> {
  const before = await server.memory();
  let received = 0;
  const clients = Array.from({ length: size }, () =>
    createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      connectionParams: { token },
    }),
  );
  for (const client of clients) {
    client.subscribe({ query: QUERY }, { next: () => received++, error: console.error, complete: () => undefined });
  }
  await pause(1500);
  const after = await server.memory();
  const times: number[] = [];
  for (let n = 0; n < CHANGES; n++) {
    received = 0;
    const start = performance.now();
    await create(server, token);
    while (received < size) {
      if (performance.now() - start > 10_000)
        throw new Error(`Only ${String(received)} of ${String(size)} subscribers received the change`);
      await pause(1);
    }
    times.push(performance.now() - start);
  }
  for (const client of clients) void client.dispose();
  await pause(500);
  times.sort((one, other) => one - other);
  const kilobytes = (key: 'heapUsed' | 'rss'): string => `${((after[key] - before[key]) / size / 1024).toFixed(0)} kB`;
  const ms = (time: number | undefined): string => `${(time ?? 0).toFixed(0)} ms`;
  return [ms(times[CHANGES / 2]), ms(times.at(-1)), kilobytes('heapUsed'), kilobytes('rss')].join(' | ');
}

async function create({ url }: BenchServer, token: string): Promise<void> {
  const host = `${randomBytes(6).toString('hex')}.test`;
  const answer = await fetch(`${url}/api/v1beta1/gateways?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'Gateway', metadata: { name: host }, spec: { host, transport: 'udp' } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
