import { setTimeout as pause } from 'node:timers/promises';

const last = new Map<string, string>();
// Each reading takes a statement.
const repeated = new Map<string, number>();

/**
 * Settings for tests that count statements: the key of tokens is fixed, so that a request does not read the stored keys again,
 * as it does every 30 s.
 */
export const WITH_FIXED_KEY = { JWT_SECRET: 'a key of the tests that is not in the database' };

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

/** The value of a gauge or counter without labels in `/metrics`. Statements of repeated readings do not count. */
export async function metric(url: string, token: string, name: string): Promise<number> {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(await newMetrics(url, token))?.[1];
  if (value === undefined) throw new Error(`There is no ${name} at /metrics`);
  return Number(value) - (name === 'sipgraph_sql_statements_total' ? (repeated.get(url) ?? 0) : 0);
}
