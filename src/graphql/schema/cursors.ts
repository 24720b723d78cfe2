import type { Order, SeekKey } from '../../database/page';
import { InvalidInputError, quote } from '../../errors';
import type { Sort } from '../../resources/lists/order';

/** Writes and reads the cursors of a list. Cursors are opaque to clients, and valid for one sort order. */
export interface Cursors {
  write(item: { readonly rowId: number; readonly seekKey?: SeekKey }): string;
  /** Throws InvalidInputError for `argument` if the cursor does not belong to this list. */
  read(argument: string, cursor: string): SeekKey;
}

const CREATION = /^row:(\d{1,15})$/;

/** Cursors of lists in creation order, which contain the row id. */
export const CREATION_CURSORS: Cursors = {
  write: ({ rowId }) => encode(`row:${String(rowId)}`),
  read: (argument, cursor) => {
    const digits = CREATION.exec(decode(cursor))?.[1];
    if (digits === undefined || encode(`row:${String(Number(digits))}`) !== cursor)
      throw strange(argument, cursor, 'this service');
    return [Number(digits)];
  },
};

/** The row id in the argument `after`, a cursor in creation order; undefined if it is not given. */
export function rowIdIn(after: string | null | undefined): number | undefined {
  return typeof after === 'string' ? Number(CREATION_CURSORS.read('after', after)[0]) : undefined;
}

/** Cursors of sorted lists, which contain the sort values of the item. */
export function sortedCursors(sorts: readonly Sort[], terms: Order): Cursors {
  const order = sorts.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join();
  return {
    write: ({ seekKey = [] }) => encode(JSON.stringify([order, ...seekKey])),
    read: (argument, cursor) => {
      const [given, ...seekKey] = parse(decode(cursor));
      // After an execution with a value of another type, MySQL would keep treating the parameters of the prepared
      // statement as numbers.
      const fits = seekKey.length === terms.length && terms.every((term, index) => isValueOf(term, seekKey[index]));
      if (given === order && fits) return seekKey as SeekKey; // checked by isValueOf
      throw strange(argument, cursor, 'a list in this order');
    },
  };
}

function isValueOf({ type, nullable = false }: Order[number], value: unknown): boolean {
  return value === null ? nullable : typeof value === type;
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}

function strange(argument: string, cursor: string, of: string): InvalidInputError {
  return InvalidInputError.of(argument, `${quote(cursor)} is not a cursor of ${of}`);
}
