import { prefixOf } from '../../filter/pattern/pattern';
import type { Operand, Path, Predicate, Relation } from '../../filter/predicate';
import type { Field, Kind } from '../../model/kind';

/**
 * The cost of finding the resources that match a predicate: the number of comparisons per row, and which rows are
 * compared. The cost is known only for predicates that compare columns, including patterns that are a prefix or a whole
 * text. It is not known for other patterns, stored JSON, lists and links.
 */
export interface SearchCost {
  /** Comparisons per row. */
  readonly comparisons: number;
  /** `key`: a unique index finds one row. `index`: an index finds the rows within `range`. */
  readonly reach: 'key' | 'index' | 'table';
  /** The part of the predicate that the index evaluates. */
  readonly range: Predicate;
  /** Whether the index returns exactly the matching rows, in creation order. */
  readonly isInOrder: boolean;
}

/** Returns the cost of a predicate, or undefined if the cost per row is not known. */
export function searchCostOf(kind: Kind, predicate: Predicate): SearchCost | undefined {
  const comparisons = comparisonsIn(kind, predicate);
  if (comparisons === undefined) return undefined;
  const sought = conjuncts(predicate).flatMap((part) => soughtBy(kind, part) ?? []);
  const own = sought.filter(({ isDerived }) => !isDerived);
  const found = own.length > 0 ? own : sought;
  const range: Predicate = { is: 'and', of: found.map(({ part }) => part) };
  const columns = new Set(found.map(({ column }) => column));
  const cost = { comparisons, range, isInOrder: isInOrder(kind, predicate, found) };
  if (found.some(({ isOne }) => isOne)) return { ...cost, reach: 'key' };
  // With several indexed columns, the database may choose any of the indexes.
  return { ...cost, reach: columns.size === 1 ? 'index' : 'table' };
}

const EQUAL: readonly Relation[] = ['==', '!='];
const ORDERED: readonly Relation[] = [...EQUAL, '<', '<=', '>', '>='];

function conjuncts(predicate: Predicate): readonly Predicate[] {
  return predicate.is === 'and' ? predicate.of.flatMap(conjuncts) : [predicate];
}

/** Returns the number of comparisons per row, or undefined if the predicate does anything but compare columns. */
function comparisonsIn(kind: Kind, predicate: Predicate): number | undefined {
  switch (predicate.is) {
    case 'and':
    case 'or':
      return predicate.of.reduce<number | undefined>((sum, part) => {
        const more = comparisonsIn(kind, part);
        return sum === undefined || more === undefined ? undefined : sum + more;
      }, 0);
    case 'not':
      return comparisonsIn(kind, predicate.of);
    case 'exists':
      return columnIn(kind, { is: 'path', path: predicate.path }) === undefined ? undefined : 1;
    case 'matches': {
      const { operand, pattern } = predicate;
      const field = operand.is === 'path' ? fieldAt(kind, operand.path) : undefined;
      return prefixOf(pattern).rest !== 'more' && field && !field.refersTo ? 2 : undefined;
    }
    case 'relation': {
      const { relation, left, right } = predicate;
      const [column, value] = left.is === 'path' ? [left, right] : [right, left];
      if (!columnIn(kind, column)) return undefined;
      // Other relations scan the refs of all possible targets.
      const isReference = column.is === 'path' && fieldAt(kind, column.path)?.refersTo !== undefined;
      if (value.is === 'literal') return (isReference ? EQUAL : ORDERED).includes(relation) ? 1 : undefined;
      // `in` and `nin` have the list on the right.
      return value.is === 'list' && column === left && ['in', 'nin'].includes(relation)
        ? value.items.length
        : undefined;
    }
    default:
      return undefined;
  }
}

interface Sought {
  readonly part: Predicate;
  readonly column: string;
  readonly isOne: boolean;
  /** Whether it is a column that is computed from the one that is compared. */
  readonly isDerived?: boolean;
}

/** Returns the indexed column that finds the rows of a comparison, or undefined if there is none. */
function soughtBy(kind: Kind, part: Predicate): Sought | undefined {
  const operands = part.is === 'matches' ? [part.operand] : part.is === 'relation' ? [part.left, part.right] : [];
  const field = operands.map((operand) => columnIn(kind, operand)).find((each) => each !== undefined);
  const isEqual = part.is === 'relation' && ['==', 'in'].includes(part.relation);
  const derived = isEqual ? derivedFrom(kind, field) : undefined;
  const column = derived ?? field;
  if (column === undefined || !indexedColumns(kind).has(column)) return undefined;
  if (part.is === 'matches') return prefixOf(part.pattern).prefix === '' ? undefined : { part, column, isOne: false };
  if (part.is !== 'relation' || ['!=', 'nin'].includes(part.relation)) return undefined;
  const isOne = part.relation === '==' && uniqueColumns(kind).has(column);
  return { part, column, isOne, isDerived: derived !== undefined };
}

/** Returns the first of the derived columns that find the values of a column. */
function derivedFrom({ fields, derived }: Kind, column: string | undefined): string | undefined {
  const isOf = (name: string): boolean => fields.find((field) => field.name === name)?.column === column;
  return derived?.find(({ finds }) => finds !== undefined && isOf(finds))?.column;
}

/** Whether a predicate compares one column with one value, and an index of that column ends with the row id. */
function isInOrder(kind: Kind, predicate: Predicate, [sought]: readonly Sought[]): boolean {
  if (sought?.part !== predicate || predicate.is !== 'relation' || predicate.relation !== '==') return false;
  // An empty string may stand for a missing value, which is compared in another way.
  const isPlain = [predicate.left, predicate.right].some(
    (operand) => operand.is === 'literal' && operand.text !== '' && ['string', 'number'].includes(typeof operand.value),
  );
  const wanted = kind.shared ? [sought.column, 'kind'] : [sought.column];
  return isPlain && Object.values(kind.indices ?? {}).some((columns) => isSame(columns, wanted));
}

/** Returns the column at a path. The column of a reference contains row ids. */
function columnIn(kind: Kind, operand: Operand): string | undefined {
  if (operand.is !== 'path') return undefined;
  const { path } = operand;
  if (isSame(path, ['metadata', 'ref'])) return 'ref';
  return fieldAt(kind, path)?.column;
}

function fieldAt(kind: Kind, path: Path): Field | undefined {
  return kind.fields.find(
    ({ pathKeys, secret, format, refersTo }) =>
      !secret && !refersTo?.through && format.schema.type !== 'array' && isSame(path, pathKeys),
  );
}

function isSame(path: Path, keys: readonly string[]): boolean {
  return path.length === keys.length && path.every((step, index) => step === keys[index]);
}

/** Returns the first column of each index, or the one after `kind` in shared tables. */
function indexedColumns(kind: Kind): ReadonlySet<string> {
  return new Set([...uniqueColumns(kind), ...Object.values(kind.indices ?? {}).flatMap(([first]) => first ?? [])]);
}

/** Returns the columns whose value is unique among the rows of a kind. */
function uniqueColumns(kind: Kind): ReadonlySet<string> {
  return new Set(['ref', ...kind.unique.flatMap(({ columns }) => (columns.length === 1 ? columns : []))]);
}
