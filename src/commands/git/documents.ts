import { DomainError } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { entriesOf } from '../../resources/bulk/entries';
import { parseDocument } from '../../resources/documents/parse';
import { memberAt, setAt } from '../../resources/documents/members';
import { changesOf, refOf, type Changes, type Input } from '../../resources/write/input';
import type { Issue } from '../../errors';
import type { TextFile } from './directory';
import { isReference, SecretReferenceError, type SecretReferences } from './secret-references';

/** A resource as a document wants it. */
export interface Wanted {
  /** The file and the line, such as `berlin/agents.yml:12`. */
  readonly place: string;
  readonly kind: Kind;
  readonly ref: string | undefined;
  /** All fields but the secrets that the document leaves out: null for those without a value. */
  readonly changes: Changes;
  /** What the document has in the place of its secrets, by the name of the field. */
  readonly references: ReadonlyMap<string, string>;
}

/** What documents say, with all that is wrong with them. */
export interface Documents {
  readonly wanted: readonly Wanted[];
  readonly mistakes: readonly string[];
  /** The places of documents with members that the model does not define. */
  readonly unknown: readonly string[];
}

const MAX_DOCUMENTS = 100_000;
const INLINE =
  'is a secret: write env:SIPGRAPH_SECRET_… or file:…, or leave the field out, which keeps the stored secret';

/** Reads the documents of files, and the secrets that they name. */
export async function readDocuments(
  model: Model,
  files: readonly TextFile[],
  secrets: SecretReferences,
): Promise<Documents> {
  const wanted: Wanted[] = [];
  const mistakes: string[] = [];
  const unknown: string[] = [];
  let left = MAX_DOCUMENTS;
  for (const { name, text } of files) {
    const read = entriesOf(text, model, { users: false, max: Math.max(left, 1) });
    left -= read.entries.length;
    for (const { line, path, message } of read.mistakes)
      mistakes.push(`${name}:${String(line)}: ${path === undefined ? '' : `${path}: `}${message}`);
    for (const { line, kind, value } of read.entries) {
      if (!kind) continue;
      const place = `${name}:${String(line)}`;
      try {
        const { extra, ...one } = await wantedOf(kind, value, secrets);
        if (extra) unknown.push(place);
        wanted.push({ place, kind, ...one });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        mistakes.push(...messagesOf(error).map((message) => `${place}: ${message}`));
      }
    }
  }
  return { wanted, mistakes, unknown };
}

async function wantedOf(
  kind: Kind,
  value: Readonly<Record<string, unknown>>,
  secrets: SecretReferences,
): Promise<Omit<Wanted, 'place' | 'kind'> & { readonly extra: boolean }> {
  const { input, extra, issues } = parseDocument(kind, { ...value, kind: kind.name });
  const mistakes: Issue[] = [...issues];
  const references = referencesIn(kind, input, INLINE, mistakes);
  const resolved = await withSecrets(kind, input, references, secrets, mistakes);
  const ref = refOf(resolved, mistakes);
  const changes = new Map(changesOf(kind, resolved, false, mistakes));
  // The document is all that the resource should have.
  for (const { name, secret } of kind.fields) if (!secret && !changes.has(name)) changes.set(name, null);
  for (const names of kind.together ?? []) {
    const others = names.filter((name) => !isSecret(kind, name));
    // Without a user name, the stored secret is of no use.
    if (others.length > 0 && others.every((name) => (changes.get(name) ?? null) === null))
      for (const name of names) if (!changes.has(name)) changes.set(name, null);
  }
  return { ref, changes, references, extra: extra !== null };
}

/** Returns the references in the place of the secrets of an input. Adds an issue with `message` for each secret that is none. */
export function referencesIn(kind: Kind, input: Input, message: string, issues: Issue[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const field of kind.fields.filter(({ secret }) => secret)) {
    const value = memberAt(input, field.keys);
    if (value === undefined || value === null || value === '') continue;
    if (isReference(value)) found.set(field.name, value);
    else issues.push({ field: field.name, path: field.path, message });
  }
  return found;
}

/** Returns an input with the secrets that its references name. Adds an issue for each reference without a secret. */
export async function withSecrets(
  kind: Kind,
  input: Input,
  references: ReadonlyMap<string, string>,
  secrets: SecretReferences,
  issues: Issue[],
): Promise<Input> {
  const resolved: Record<string, unknown> = { ...input };
  for (const field of kind.fields) {
    const reference = references.get(field.name);
    if (reference === undefined) continue;
    try {
      setAt(resolved, field.keys, await secrets.resolve(reference));
    } catch (error) {
      if (!(error instanceof SecretReferenceError)) throw error;
      issues.push({ field: field.name, path: field.path, message: error.message });
    }
  }
  return resolved;
}

function isSecret(kind: Kind, name: string): boolean {
  return kind.fields.some((field) => field.name === name && field.secret === true);
}

/** What an error says, each with the place in the document. */
export function messagesOf(error: DomainError): readonly string[] {
  return error.issues.length > 0 ? error.issues.map(({ path, message }) => `${path}: ${message}`) : [error.message];
}
