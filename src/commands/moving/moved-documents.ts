import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { dump } from 'js-yaml';

import { API_VERSION, type Kind } from '../../model/kind';
import { memberAt } from '../../resources/documents/members';
import type { Input } from '../../resources/write/input';
import { CommandError, count } from '../answer';
import { ignoreAbsent, openPrivateFile } from '../private-file';
import type { Receive } from '../../resources/moving/move';

/** Documents per file, so that `plan` can read each. */
const PER_FILE = 5000;

/** The documents of a move, for `plan`. Secrets are written only if there is a directory for them. */
export class DocumentFiles {
  /** The documents by the name of their file. */
  private files = new Map<string, object[]>();
  private secrets = new Map<string, string>();
  /** The number of documents by collection. */
  private counts = new Map<string, number>();
  private omitted = 0;

  constructor(
    private readonly directory: string,
    private readonly secretsIn: string | undefined,
  ) {}

  /** Throws CommandError if a directory has files already. */
  async assertNew(): Promise<void> {
    for (const path of [this.directory, this.secretsIn])
      if (path !== undefined && ((await readdir(path).catch(ignoreAbsent)) ?? []).length > 0)
        throw new CommandError(`${path} is not empty: use a new directory, or empty this one`);
  }

  begin(): Receive {
    this.files = new Map();
    this.secrets = new Map();
    this.counts = new Map();
    this.omitted = 0;
    return (kind, input, { ref, isReferred }) => this.add(kind, input, isReferred ? ref : undefined);
  }

  /** Writes the files. Returns a line about them. */
  async write(): Promise<string> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    for (const [name, documents] of this.files)
      await writePrivate(join(this.directory, name), dump(documents, { lineWidth: -1, noRefs: true }));
    if (this.secretsIn !== undefined) {
      await mkdir(this.secretsIn, { recursive: true, mode: 0o700 });
      for (const [name, secret] of this.secrets) await writePrivate(join(this.secretsIn, name), `${secret}\n`);
    }
    const many = [...this.counts.values()].reduce((sum, each) => sum + each, 0);
    return `Wrote ${count(many, 'document')} to ${this.directory}${this.secretsText()}.`;
  }

  private secretsText(): string {
    if (this.secretsIn !== undefined) return `, and ${count(this.secrets.size, 'secret')} to ${this.secretsIn}`;
    if (this.omitted === 0) return '';
    return `, without ${count(this.omitted, 'secret')}: --secrets writes them to a directory of their own`;
  }

  private add(kind: Kind, input: Input, ref: string | undefined): void {
    const index = this.counts.get(kind.collection) ?? 0;
    this.counts.set(kind.collection, index + 1);
    const part = Math.floor(index / PER_FILE);
    const name = `${kind.collection}${part === 0 ? '' : `-${String(part + 1)}`}.yml`;
    const documents = this.files.get(name) ?? [];
    this.files.set(name, documents);
    const document: Record<string, unknown> = { apiVersion: API_VERSION, kind: kind.name };
    if (ref !== undefined) document['metadata'] = { ref };
    for (const field of kind.fields) {
      const value = memberAt(input, field.keys);
      if (value === undefined || value === null) continue;
      if (field.secret !== true) put(document, field.pathKeys, value);
      else if (this.secretsIn === undefined) this.omitted++;
      else {
        const secret = `${kind.singular}-${String(index + 1)}`;
        this.secrets.set(secret, typeof value === 'string' ? value : JSON.stringify(value));
        put(document, field.pathKeys, `file:${secret}`);
      }
    }
    documents.push(document);
  }
}

function put(document: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) document[first] = value;
  else {
    const inner = (document[first] ?? {}) as Record<string, unknown>; // only objects are put below a path
    document[first] = inner;
    put(inner, rest, value);
  }
}

async function writePrivate(path: string, text: string): Promise<void> {
  const file = await openPrivateFile(path);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
