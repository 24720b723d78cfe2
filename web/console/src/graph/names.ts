/** Names that are kept; the oldest goes first. */
const MOST = 2000;

/** A resource as messages of the server mention it: `Gateway gw12`. */
export interface Mention {
  readonly kind: string;
  readonly ref: string;
}

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

/** Reads what resources are called, and remembers it. */
type Reader = (mentions: readonly Mention[]) => Promise<void>;

let readNames: Reader = async () => Promise.resolve();

/** Sets how names are read that messages need. This folder does not know the kinds: data/names.ts does. */
export function readNamesWith(reader: Reader): void {
  readNames = reader;
}

const MENTION = /\b([Gg]ateway|[A-Z]\w*) ("?)([\w-]{1,40})\2(?![\w-])/g;

/**
 * A message of the server with names instead of references: `Gateway gw12 is in use` is `Gateway Carrier is in use`. Names
 * that the browser does not know are read with one request. What has none stays a reference.
 */
export async function withNames(message: string): Promise<string> {
  const unknown = mentionsIn(message).filter(({ kind, ref }) => !names.has(`${kind} ${ref}`));
  // A message with references is better than none.
  if (unknown.length > 0) await readNames(unknown).catch(() => undefined);
  return message.replace(MENTION, (text, kind: string, _quote, ref: string) => {
    const name = names.get(`${typeOf(kind)} ${ref}`);
    return name === undefined ? text : `${kind} ${name}`;
  });
}

/** What a message mentions, each resource once: only so many are read. */
function mentionsIn(message: string): readonly Mention[] {
  const mentions = [...message.matchAll(MENTION)].map(([, kind = '', , ref = '']) => ({ kind: typeOf(kind), ref }));
  return [...new Map(mentions.map((mention) => [`${mention.kind} ${mention.ref}`, mention])).values()];
}

/** The name of the type: sentences have `gateway`. */
function typeOf(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
