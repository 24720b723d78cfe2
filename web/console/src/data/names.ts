import { type Mention, readNamesWith, rememberName } from '../graph/names';
import { request } from '../graph/request';
import { type Kind, loadModel, type Model } from '../model/model';
import { texts } from '../texts';

/** What others than resources are called, by their kind in the history. */
export const LABELS: Readonly<Record<string, string>> = { User: 'username', ApiToken: 'name', Webhook: 'url' };
/** References of one request: a page of the graph has at most 100 resources, and a document 30 aliases. */
const MOST = 100;
const MOST_FORMER = 20;

/** Lets messages of the server say names. Called when the kinds are known: reading them can fail, too. */
export function nameInMessages({ kinds }: Model): void {
  readNamesWith(async (mentions) => readMentioned(kinds, mentions));
}

async function readMentioned(kinds: readonly Kind[], mentions: readonly Mention[]): Promise<void> {
  const ours = mentions.filter(({ kind }) => kinds.some(({ name }) => name === kind)).slice(0, MOST);
  const current = await readCurrent(kinds, ours);
  for (const { kind, ref } of ours) {
    const name = current.get(keyOf({ kind, ref }));
    if (name !== undefined) rememberName(kind, ref, name);
  }
  const unknown = ours.filter((mention) => !current.has(keyOf(mention))).slice(0, MOST_FORMER);
  // The server has been told the reference of something that is gone.
  const former = await Promise.all(unknown.map(formerName));
  for (const [index, name] of former.entries()) {
    const mention = unknown[index];
    if (mention && name !== null) rememberName(mention.kind, mention.ref, name.replace(/^tel:/, ''));
  }
}

/** Reads the names of resources with one request. The keys of the result are those of `keyOf`. */
async function readCurrent(kinds: readonly Kind[], mentions: readonly Mention[]): Promise<ReadonlyMap<string, string>> {
  const asked = kinds.filter(({ name }) => mentions.some(({ kind }) => kind === name));
  if (asked.length === 0) return new Map();
  const declared = asked.map(({ name }) => `$${name}: [String!]`).join(', ');
  const lists = asked.map(
    ({ name, collection, label }) =>
      `${name}: ${collection}(first: ${String(MOST)}, where: { ref: { in: $${name} } }) { nodes { ref label: ${label} } }`,
  );
  const refsOf = (name: string): readonly string[] => mentions.flatMap(({ kind, ref }) => (kind === name ? ref : []));
  const found = await request<Readonly<Record<string, { readonly nodes: readonly Labelled[] }>>>(
    `query Names(${declared}) { ${lists.join(' ')} }`,
    Object.fromEntries(asked.map(({ name }) => [name, refsOf(name)])),
  );
  return new Map(
    asked.flatMap(({ name: kind }) =>
      (found[kind]?.nodes ?? []).map(({ ref, label }) => [keyOf({ kind, ref }), label.replace(/^tel:/, '')] as const),
    ),
  );
}

function keyOf({ kind, ref }: Mention): string {
  return `${kind} ${ref}`;
}

interface Labelled {
  readonly ref: string;
  readonly label: string;
}

/** What resources of any kind are called, by their references, of which there are at most 100 in a request. */
export async function namesOfRefs(
  kinds: readonly Kind[],
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, Set<string>>();
  for (let start = 0; start < refs.length; start += MOST) {
    const part = refs.slice(start, start + MOST);
    const mentions = kinds.flatMap(({ name }) => part.map((ref) => ({ kind: name, ref })));
    for (const [key, name] of await readCurrent(kinds, mentions)) {
      const [, ref = ''] = key.split(' ');
      names.set(ref, (names.get(ref) ?? new Set()).add(name));
    }
  }
  return new Map([...names].map(([ref, all]) => [ref, [...all].join(texts.parts.comma)]));
}

/** A name that is waited for. */
interface Waiting {
  readonly mention: Mention;
  readonly resolve: (name: string | null) => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];

/**
 * What something was called whose name cannot be read otherwise, because it is gone or has no page; null if the history
 * does not tell. Names that are asked for together are read with one request.
 */
export async function formerName(mention: Mention): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(() => void readWaiting());
    waiting.push({ mention, resolve, reject });
  });
}

async function readWaiting(): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let start = 0; start < all.length; start += MOST_FORMER) {
    const part = all.slice(start, start + MOST_FORMER);
    try {
      const found = await readFormer(part.map(({ mention }) => mention));
      for (const [index, { resolve }] of part.entries()) resolve(found[index] ?? null);
    } catch (error) {
      for (const { reject } of part) reject(error);
    }
  }
}

interface Entries {
  readonly nodes: readonly {
    readonly changes: readonly { field: string; before: string | null; after: string | null }[];
  }[];
}

async function readFormer(mentions: readonly Mention[]): Promise<readonly (string | null)[]> {
  const { kinds } = await loadModel();
  const labelOf = (kind: string): string | undefined => kinds.find(({ name }) => name === kind)?.label ?? LABELS[kind];
  const declared = mentions.map((_, index) => `$w${String(index)}: HistoryWhere`).join(', ');
  const reads = mentions.map(
    (_, index) =>
      `r${String(index)}: history(first: 1, where: $w${String(index)}) { nodes { changes { field before after } } }`,
  );
  const found = await request<Readonly<Record<string, Entries>>>(
    `query FormerNames(${declared}) { ${reads.join(' ')} }`,
    // Of what was deleted, the last entry has all fields; of others, the first.
    Object.fromEntries(
      mentions.map(({ kind, ref }, index) => [
        `w${String(index)}`,
        { kind, ref, event: kind in LABELS ? 'CREATED' : 'DELETED' },
      ]),
    ),
  );
  return mentions.map(({ kind }, index) => {
    const label = labelOf(kind);
    const change = found[`r${String(index)}`]?.nodes[0]?.changes.find(({ field }) => field === label);
    return change?.after ?? change?.before ?? null;
  });
}
