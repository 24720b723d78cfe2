import autocannon, { type Client, type Request } from 'autocannon';

import type { Case } from './cases';
import type { BenchDatabase } from './databases';
import type { BenchServer } from './servers';

/** The result of one round on one server. */
export interface Sample {
  /** CPU time of the server per request, in microseconds. */
  readonly cpu: number;
  /** CPU time of the database server per request, in microseconds; 0 if the server contains the database. */
  readonly databaseCpu: number;
  /** Requests per second. */
  readonly rate: number;
  /** The times until the responses arrived, in milliseconds. */
  readonly times: readonly number[];
}

export const CONNECTIONS = 16;

/** Sends the requests of a case over 16 connections, each with one request at a time, and measures. */
export async function load(
  server: BenchServer,
  test: Case,
  token: string,
  amount: number,
  database?: Pick<BenchDatabase, 'cpu'>,
): Promise<Sample> {
  const share = Math.ceil(amount / CONNECTIONS);
  const [before, databaseBefore] = [await server.cpu(), (await database?.cpu()) ?? 0];
  const run = autocannon({
    url: server.url,
    connections: CONNECTIONS,
    amount: share * CONNECTIONS,
    sampleInt: 20,
    setupClient: (client: Client) => {
      client.setRequests(Array.from({ length: share }, () => toRequest(test, token)));
    },
  });
  let [begun, ended] = [0, 0];
  run.on('start', () => (begun = performance.now()));
  const times: number[] = [];
  run.on('response', (_client, _status, _bytes, time) => {
    times.push(time);
    ended = performance.now();
  });
  const result = await run;
  const cpu = (await server.cpu()) - before;
  const databaseCpu = ((await database?.cpu()) ?? 0) - databaseBefore;
  const answered = result['2xx'];
  if (answered !== share * CONNECTIONS || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `Case ${test.id} on ${server.name}: not every request succeeded: ${statuses}, ${result.errors} errors`,
    );
  }
  return {
    cpu: cpu / answered,
    databaseCpu: databaseCpu / answered,
    rate: (answered * 1000) / (ended - begun),
    times,
  };
}

function toRequest(test: Case, token: string): Request {
  const { method, path, body } = test.request();
  const authorization = `Bearer ${token}`;
  if (body === undefined) return { method, path, headers: { authorization } };
  return { method, path, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
