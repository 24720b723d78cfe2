import { createHash } from 'node:crypto';

import { groupBy, pad, places, type Row, type Sql, type Transaction } from '../database/sql';
import { InvalidInputError } from '../errors';

/** The maximum number of documents of an API token. */
const MAX_DOCUMENTS = 100;
/** The maximum length of a document, and of all documents of an API token, in characters. */
const MAX_DOCUMENT = 10_000;
const MAX_ALL = 200_000;
/** The maximum length of a name, in characters. */
const MAX_NAME = 200;

/** A GraphQL document that an API token may send. */
export interface TrustedDocument {
  /** What the operations of the document are called, for people. */
  readonly name: string;
  /** The document, which a request must repeat to the letter. */
  readonly text: string;
}

/** What is shown about a document: its text may contain values that are secret. */
export interface ListedDocument {
  readonly name: string;
  /** The SHA-256 hash of the text in UTF-8, in hexadecimal digits. */
  readonly sha256Hash: string;
}

/** What is shown about a document that is not stored. */
export function listedOf({ name, text }: TrustedDocument): ListedDocument {
  return { name: name.slice(0, MAX_NAME), sha256Hash: documentHash(text) };
}

/** The hash of a document, as in the persisted queries of Apollo. */
function documentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The documents that an API token may send: no other. They never change. */
export class TrustedDocuments {
  /** The number of characters of all documents. */
  readonly size: number;
  private readonly byHash: ReadonlyMap<string, string>;
  private readonly texts: ReadonlySet<string>;

  constructor(texts: readonly string[]) {
    this.texts = new Set(texts);
    this.byHash = new Map(texts.map((text) => [documentHash(text), text]));
    this.size = texts.reduce((sum, { length }) => sum + length, 0);
  }

  has(text: string): boolean {
    return this.texts.has(text);
  }

  /** Returns the text of a document by its hash. */
  textOf(hash: string): string | undefined {
    return this.byHash.get(hash);
  }
}

/** Throws InvalidInputError if there are no documents, or too many or too long ones. */
export function assertDocuments(texts: readonly string[]): void {
  const refuse = (message: string): never => {
    throw InvalidInputError.of('documents', message);
  };
  if (texts.length === 0) refuse('is empty: such a token could do nothing. Omit it to permit all operations');
  if (texts.length > MAX_DOCUMENTS) refuse(`has ${String(texts.length)} documents, more than ${String(MAX_DOCUMENTS)}`);
  for (const [index, { length }] of texts.entries())
    if (length > MAX_DOCUMENT)
      refuse(`documents[${String(index)}] has ${String(length)} characters, more than ${String(MAX_DOCUMENT)}`);
  const all = texts.reduce((sum, { length }) => sum + length, 0);
  if (all > MAX_ALL) refuse(`has ${String(all)} characters in all, more than ${String(MAX_ALL)}`);
}

/** Stores the documents of a new API token, each once. */
export async function insertDocuments(
  transaction: Transaction,
  tokenRef: string,
  documents: readonly TrustedDocument[],
): Promise<void> {
  const [row] = await transaction.rows('SELECT id FROM api_tokens WHERE ref = ?', [tokenRef]);
  const tokenId = Number(row?.[0]);
  const byHash = new Map(documents.map((each) => [documentHash(each.text), each]));
  const rows = [...byHash].map(([hash, { name, text }]) => [tokenId, hash, name.slice(0, MAX_NAME), text] as const);
  await transaction.run(
    `INSERT INTO api_token_documents (token_id, hash, name, text) VALUES ${rows.map(() => `(${places(4)})`).join(', ')}`,
    rows.flat(),
  );
}

/** The documents of the API token with this hash. */
export async function documentsOf(sql: Sql, tokenHash: string): Promise<TrustedDocuments> {
  const rows = await sql.rows(
    'SELECT d.text FROM api_token_documents d JOIN api_tokens t ON t.id = d.token_id WHERE t.hash = ?',
    [tokenHash],
  );
  return new TrustedDocuments(rows.map(([text]) => String(text)));
}

/** The documents of API tokens by the ref of the token, in the order in which they were given. */
export async function listedDocuments(
  sql: Sql,
  tokenRefs: readonly string[],
): Promise<ReadonlyMap<string, readonly ListedDocument[]>> {
  if (tokenRefs.length === 0) return new Map();
  const refs = pad(tokenRefs, '');
  const rows = await sql.rows(
    `SELECT t.ref, d.name, d.hash FROM api_token_documents d JOIN api_tokens t ON t.id = d.token_id
     WHERE t.ref IN (${places(refs.length)}) ORDER BY d.id`,
    refs,
  );
  const toDocument = ([, name, hash]: Row): ListedDocument => ({ name: String(name), sha256Hash: String(hash) });
  return new Map([...groupBy(rows, ([ref]) => String(ref))].map(([ref, group]) => [ref, group.map(toDocument)]));
}
