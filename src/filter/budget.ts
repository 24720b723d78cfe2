import { InvalidInputError } from '../errors';
import type { Operand, Path, Relation } from './predicate';

const MAX_COMPARISONS = 500;
/** A comparison of two paths is that of each type with each. */
const TWO_PATHS = 3;
/** Values of a list that SQL compares at once, with IN. */
const VALUES_AT_ONCE = 10;

/** How many members a path may stand for: several with a deep scan. */
type Width = (path: Path) => number;

/** Bounds the SQL of a filter while it is compiled, by what the filter says, so that every database refuses the same. */
export class Budget {
  private spent = 0;

  constructor(
    private readonly argument: 'filter' | 'where',
    private readonly limit = MAX_COMPARISONS,
  ) {}

  /** Throws InvalidInputError where these are too many. */
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

/** Comparisons of an operand with one value: every place in a path takes another. */
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

/** Comparisons of a relation. */
export function sizeOfRelation(relation: Relation, left: Operand, right: Operand, width: Width): number {
  const [a, b] = [sizeOf(left, width), sizeOf(right, width)];
  if (right.is === 'list' && AT_ONCE.includes(relation)) return a * Math.ceil(b / VALUES_AT_ONCE);
  if (left.is === 'list' && relation === 'contains') return b * Math.ceil(a / VALUES_AT_ONCE);
  // An entry of the list that it is compared with is a place.
  if (left.is === 'list' || right.is === 'list') return a * b * 2;
  return left.is === 'literal' || right.is === 'literal' ? a * b : a * b * TWO_PATHS;
}

const AT_ONCE: readonly Relation[] = ['in', 'nin', 'anyof', 'noneof', 'subsetof'];
