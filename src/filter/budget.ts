import { InvalidInputError } from '../errors';
import type { Operand, Path, Relation } from './predicate';

const MAX_COMPARISONS = 500;
/** The cost factor of comparing two paths, because each type of one path is compared with each type of the other. */
const TWO_PATHS = 3;
/** Values in an IN list that count as one comparison. */
const VALUES_AT_ONCE = 10;

/** The number of members that a path may select: more than one with a deep scan. */
type Width = (path: Path) => number;

/**
 * Limits the size of the SQL that a filter compiles to. It counts the comparisons of the filter, which do not depend on
 * the database, so every database accepts the same filters.
 */
export class Budget {
  private spent = 0;

  constructor(
    private readonly argument: 'filter' | 'where',
    private readonly limit = MAX_COMPARISONS,
  ) {}

  /** Counts comparisons. Throws InvalidInputError beyond the limit. */
  spend(comparisons: number): void {
    this.spent += comparisons;
    if (this.spent > this.limit) {
      throw InvalidInputError.of(
        this.argument,
        `is too large: it makes more than ${String(this.limit)} comparisons; use shorter lists, fewer deep scans or fewer conditions`,
      );
    }
  }
}

/** The cost of comparing an operand with one value. Each index in a path adds a comparison. */
export function sizeOf(operand: Operand, width: Width): number {
  switch (operand.is) {
    case 'path':
    case 'count':
      return width(operand.path) * (1 + operand.path.filter((step) => typeof step === 'number').length);
    case 'length':
      return sizeOf(operand.of, width);
    case 'list':
      return Math.max(1, operand.items.length);
    case 'literal':
      return 1;
  }
}

/** The cost of a relation between two operands. */
export function sizeOfRelation(relation: Relation, left: Operand, right: Operand, width: Width): number {
  const [a, b] = [sizeOf(left, width), sizeOf(right, width)];
  if (right.is === 'list' && AT_ONCE.includes(relation)) return a * Math.ceil(b / VALUES_AT_ONCE);
  if (left.is === 'list' && relation === 'contains') return b * Math.ceil(a / VALUES_AT_ONCE);
  // Comparing an entry of a list also needs its index, which counts as a comparison.
  if (left.is === 'list' || right.is === 'list') return a * b * 2;
  return left.is === 'literal' || right.is === 'literal' ? a * b : a * b * TWO_PATHS;
}

const AT_ONCE: readonly Relation[] = ['in', 'nin', 'anyof', 'noneof', 'subsetof'];
