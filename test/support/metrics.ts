import { setTimeout as pause } from 'node:timers/promises';

const last = new Map<string, string>();
// Each reading takes a statement.
const repeated = new Map<string, number>();

/**
 * Settings for tests that count statements: the key of tokens is fixed, so that a request does not read the stored keys
 * again, as it does every 30 s, and nothing is sampled, which counts large tables.
 */
export const COUNTING = { JWT_SECRET: 'a key of the tests that is not in the database', SAMPLES: 'off' };

/** Returns the text of `/metrics`, which differs from the one that this function returned before. */
export async function newMetrics(url: string, token: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`GET /metrics failed with status ${String(answer.status)}`);
    if (text !== last.get(url)) {
      last.set(url, text);
      return text;
    }
    // The server shares a text for a while.
    repeated.set(url, (repeated.get(url) ?? 0) + 1);
    await pause(20);
  }
}

/** The statements sent to the database until now, by outcome. */
export async function statementsByOutcome(url: string, token: string): Promise<Readonly<Record<string, number>>> {
  const samples = (await newMetrics(url, token)).matchAll(/^sipgraph_sql_statements_total\{outcome="(.*)"\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, outcome = '', count]) => [outcome, Number(count)]));
}

/** The value of a gauge or counter in `/metrics`, over all labels. Statements of repeated readings do not count. */
export async function metric(url: string, token: string, name: string): Promise<number> {
  const samples = [...(await newMetrics(url, token)).matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))];
  if (samples.length === 0) throw new Error(`There is no ${name} at /metrics`);
  const value = samples.reduce((sum, [, count]) => sum + Number(count), 0);
  return value - (name === 'sipgraph_sql_statements_total' ? (repeated.get(url) ?? 0) : 0);
}
