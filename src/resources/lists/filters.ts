import { LRUCache } from 'lru-cache';

import type { Product } from '../../database/driver';
import { all, type Fragment } from '../../database/fragment';
import { Budget } from '../../filter/budget';
import { Compiler } from '../../filter/compile';
import { parseFilter } from '../../filter/json-path/parse';
import type { Predicate } from '../../filter/predicate';
import { mariadbDialect, mysqlDialect } from '../../filter/server-dialect';
import { sqliteDialect } from '../../filter/sqlite-dialect';
import type { Kind } from '../../model/kind';
import { subjectOf } from './filter-subject';
import type { Condition } from './list-query';
import { searchCostOf } from './search-cost';

/** Maximum size of the cache in bytes: any caller can send any number of different filters. */
const MAX_KEPT = 8_000_000;

/** The cost, in objects, of the analysis of patterns. It is added to the cost of one object per character. */
const PATTERNS = 1000;
const HAS_PATTERN = /=~|\b(?:match|search)\b/;
/** Longer filters are rejected before they are parsed. */
const MAX_LENGTH = 1024;

const DIALECTS = { sqlite: sqliteDialect, mysql: mysqlDialect, mariadb: mariadbDialect } as const;

interface Compiled {
  readonly predicate: Predicate;
  readonly condition: Condition;
}

/** A typed filter: the caller's input, which identifies it, and its meaning. */
interface TypedFilter {
  readonly input: object;
  /** Throws InvalidInputError. */
  readonly predicate: () => Predicate;
}

/** Compiles filters to SQL conditions for the configured database. */
export class Filters {
  constructor(
    private readonly product: Product,
    private readonly charge: (objects: number) => void = () => undefined,
    private readonly others = false,
    private readonly compiled = new LRUCache<string, Compiled>({ maxSize: MAX_KEPT, sizeCalculation: bytesOf }),
  ) {}

  /**
   * Returns the same filters for a caller. The caller is charged for each JsonPath filter that is not cached, even if
   * the filter is rejected. Typed filters are not charged here. `others`: whether the caller sees all members that the
   * model does not know.
   */
  forCaller(charge: (objects: number) => void, others: boolean): Filters {
    return new Filters(this.product, charge, others, this.compiled);
  }

  /**
   * Compiles a JsonPath filter, a typed filter, or both, to a condition on a row with the alias `t`. Throws
   * InvalidInputError.
   */
  condition(kind: Kind, filter: string | undefined, where?: TypedFilter): Condition | undefined {
    const ofText = filter === undefined ? undefined : this.ofText(kind, filter);
    const ofWhere = where && this.ofWhere(kind, where);
    const condition = ofText && ofWhere ? this.both(kind, ofText, ofWhere) : (ofText ?? ofWhere)?.condition;
    return condition?.text === 'TRUE' ? undefined : condition;
  }

  private ofText(kind: Kind, filter: string): Compiled {
    return this.once(`${this.prefixOf(kind)} ${filter}`, kind, true, () => {
      this.charge(Math.min(filter.length, MAX_LENGTH) + (HAS_PATTERN.test(filter) ? PATTERNS : 0));
      return parseFilter(filter);
    });
  }

  private ofWhere(kind: Kind, { input, predicate }: TypedFilter): Compiled {
    // The line break distinguishes this key from the key of a JsonPath filter.
    return this.once(`${this.prefixOf(kind)}\n${JSON.stringify(input)}`, kind, false, predicate);
  }

  private once(key: string, kind: Kind, blanks: boolean, predicateOf: () => Predicate): Compiled {
    const cached = this.compiled.get(key);
    if (cached) return cached;
    const predicate = predicateOf();
    const made = { predicate, condition: this.of(kind, predicate, blanks) };
    this.compiled.set(key, made);
    return made;
  }

  /** Callers who see different members do not share conditions. */
  private prefixOf({ name }: Kind): string {
    return this.others ? `+${name}` : name;
  }

  private both(kind: Kind, text: Compiled, where: Compiled): Condition {
    const both = all([text.condition, where.condition]);
    return this.withEffort(kind, both, { is: 'and', of: [text.predicate, where.predicate] });
  }

  private of(kind: Kind, predicate: Predicate, blanks: boolean): Condition {
    const budget = new Budget(blanks ? 'filter' : 'where');
    return this.withEffort(kind, this.compile(kind, predicate, blanks, budget), predicate);
  }

  private withEffort(kind: Kind, fragment: Fragment, predicate: Predicate): Condition {
    const cost = searchCostOf(kind, predicate);
    if (!cost) return fragment;
    // The range is part of the predicate, which is within the budget.
    const rows = this.compile(kind, cost.range, true, new Budget('filter', Infinity));
    return { ...fragment, searchCost: { ...cost, rows } };
  }

  private compile(kind: Kind, predicate: Predicate, blanks: boolean, budget: Budget): Fragment {
    const dialect = DIALECTS[this.product];
    const subject = subjectOf(kind, 't', dialect, { blanks, others: this.others });
    return new Compiler(subject, dialect, budget).compile(predicate);
  }
}

/**
 * Estimates the size in bytes: 100 for each character of the filter, 2 for each character of SQL, 16 for each value.
 */
function bytesOf({ condition }: Compiled, key: string): number {
  return [condition, ...(condition.searchCost ? [condition.searchCost.rows] : [])].reduce(
    (bytes, { text, values }) => bytes + 2 * text.length + 16 * values.length,
    100 * key.length,
  );
}
