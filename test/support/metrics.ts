/** The value of a gauge or counter without labels in `/metrics`. */
export async function metric(url: string, token: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`There is no ${name} at /metrics: ${String(answer.status)}`);
  return Number(value);
}
