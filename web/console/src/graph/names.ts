/** Names that are kept; the oldest goes first. */
const MOST = 2000;

/** What resources that were shown are called, by kind and reference. */
const names = new Map<string, string>();

/** Remembers what a resource is called, so that messages of the server can say it instead of the reference. */
export function rememberName(kind: string, ref: string, name: string): void {
  const key = `${kind} ${ref}`;
  names.delete(key);
  names.set(key, name);
  const [oldest] = names.keys();
  if (names.size > MOST && oldest !== undefined) names.delete(oldest);
}

/**
 * A message of the server with names instead of references: `Gateway gw12 is in use` is `Gateway Carrier is in use`. Names
 * that the browser has not read stay references.
 */
export function withNames(message: string): string {
  return message.replace(/\b([A-Z]\w*) ("?)([\w-]{1,40})\2(?![\w-])/g, (text, kind: string, _quote, ref: string) => {
    const name = names.get(`${kind} ${ref}`);
    return name === undefined ? text : `${kind} ${name}`;
  });
}
