import { randomBytes } from 'node:crypto';

import type { ReadsAndWrites } from '../database/database';
import type { OwnTransaction, Row, Sql } from '../database/sql';
import { InvalidInputError, NotFoundError, LimitReachedError } from '../errors';
import { text } from '../model/format/format';
import { inTransaction, type WriteOptions } from '../resources/write/transactions';
import { lockOwner } from './api-token-store';
import { assertValid } from './user-rules';

/** The maximum number of views of a user. */
export const MAX_VIEWS = 50;
/** The maximum length of what a view contains, in bytes of UTF-8. */
export const MAX_CONTENT = 4096;

const LIST = text(40, { pattern: /^[A-Za-z][A-Za-z0-9-]*$/, expected: 'the name of a list' });
const NAME = text(60, { pattern: /\S/, expected: 'a name' });
const CONTENT = text(MAX_CONTENT);

/** How a list is shown: its filter, order and columns, under a name. */
export interface View extends NewView {
  readonly ref: string;
}

/** What a user saves. */
interface NewView {
  /** The list, such as `dids`. */
  readonly list: string;
  readonly name: string;
  /** What the list shows, as the client that saved the view wrote it. */
  readonly content: string;
}

/** Saves views of lists for each user. Nobody else sees them. */
export class ViewService {
  constructor(private readonly database: ReadsAndWrites) {}

  /** The views of a user, by list and name. */
  of(userRef: string): Promise<readonly View[]> {
    return viewsOf(this.database, userRef);
  }

  /**
   * Saves a view, and replaces one of the same list and name. Throws InvalidInputError, and LimitReachedError if the
   * user has too many.
   */
  async save(userRef: string, view: NewView, { dryRun = false }: WriteOptions = {}): Promise<View> {
    assertView(view);
    const { list, name, content } = view;
    const work = async (transaction: OwnTransaction): Promise<View> => {
      // First in the transaction: the first read determines what later reads see.
      await lockOwner(transaction, userRef);
      const known = await viewsOf(transaction, userRef);
      const same = known.find((each) => each.list === list && each.name === name);
      if (same) {
        await transaction.run('UPDATE views SET content = ? WHERE ref = ?', [content, same.ref]);
        return { ...same, content };
      }
      if (known.length >= MAX_VIEWS)
        throw new LimitReachedError(`A user can have at most ${String(MAX_VIEWS)} views: delete one first`);
      return insert(transaction, userRef, view);
    };
    return inTransaction(this.database, work, { isKept: () => !dryRun });
  }

  /** Deletes a view. Throws NotFoundError, also for a view of another user. */
  async delete(userRef: string, ref: string, { dryRun = false }: WriteOptions = {}): Promise<void> {
    const text = 'DELETE FROM views WHERE ref = ? AND user_id = (SELECT id FROM users WHERE ref = ?)';
    const { rows } = await inTransaction(this.database, (transaction) => transaction.run(text, [ref, userRef]), {
      isKept: () => !dryRun,
    });
    if (rows === 0) throw new NotFoundError('View', ref);
  }
}

function assertView({ list, name, content }: NewView): void {
  assertValid({ list: [LIST, list], name: [NAME, name], content: [CONTENT, content] });
  const size = Buffer.byteLength(content);
  if (size > MAX_CONTENT)
    throw InvalidInputError.of('content', `has ${String(size)} bytes, more than ${String(MAX_CONTENT)}`);
}

async function viewsOf(sql: Sql, userRef: string): Promise<readonly View[]> {
  const rows = await sql.rows(
    `SELECT v.ref, v.list, v.name, v.content FROM views v JOIN users u ON u.id = v.user_id
     WHERE u.ref = ? ORDER BY v.list, v.name`,
    [userRef],
  );
  return rows.map(toView);
}

async function insert(transaction: OwnTransaction, userRef: string, view: NewView): Promise<View> {
  const ref = `vw${randomBytes(4).toString('hex')}`;
  const { list, name, content } = view;
  await transaction.run(
    'INSERT INTO views (ref, user_id, list, name, content) SELECT ?, id, ?, ?, ? FROM users WHERE ref = ?',
    [ref, list, name, content, userRef],
  );
  return { ref, list, name, content };
}

function toView([ref, list, name, content]: Row): View {
  return { ref: String(ref), list: String(list), name: String(name), content: String(content) };
}
