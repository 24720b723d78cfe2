import { LRUCache } from 'lru-cache';

import type { Product } from '../database/database';
import { all, type Fragment } from '../database/fragment';
import { compile } from '../filter/compile';
import { filterDialects } from '../filter/dialects';
import { EVERYTHING, parseFilter } from '../filter/json-path';
import type { Predicate } from '../filter/predicate';
import { effortOf } from './effort';
import type { Kind } from './kind';
import type { Condition } from './list-query';
import { subjectOf } from './subject';

const MAX_KEPT = 1000;

interface Compiled {
  readonly predicate: Predicate;
  readonly condition: Condition;
}

/** Makes conditions of filters, for the database in use. */
export class Filters {
  private readonly compiled = new LRUCache<string, Compiled>({ max: MAX_KEPT });

  constructor(private readonly product: Product) {}

  /** The condition of a JsonPath filter, a typed one, or both, about a row named `t`; throws InvalidInputError. */
  condition(kind: Kind, filter: string | undefined, where?: Predicate): Condition | undefined {
    if (filter === undefined && !where) return undefined;
    const ofText = filter === undefined ? undefined : this.ofText(kind, filter);
    const condition =
      ofText && where
        ? this.both(kind, ofText, where)
        : (ofText?.condition ?? this.of(kind, where ?? EVERYTHING, false));
    return condition.text === 'TRUE' ? undefined : condition;
  }

  private ofText(kind: Kind, filter: string): Compiled {
    const key = `${kind.name} ${filter}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const predicate = parseFilter(filter);
    const made = { predicate, condition: this.of(kind, predicate, true) };
    this.compiled.set(key, made);
    return made;
  }

  private both(kind: Kind, { predicate, condition }: Compiled, where: Predicate): Condition {
    const both = all([condition, this.compile(kind, where, false)]);
    return this.withEffort(kind, both, { is: 'and', of: [predicate, where] });
  }

  private of(kind: Kind, predicate: Predicate, shown: boolean): Condition {
    return this.withEffort(kind, this.compile(kind, predicate, shown), predicate);
  }

  private withEffort(kind: Kind, fragment: Fragment, predicate: Predicate): Condition {
    const effort = effortOf(kind, predicate);
    return effort ? { ...fragment, effort: { ...effort, rows: this.compile(kind, effort.range, true) } } : fragment;
  }

  private compile(kind: Kind, predicate: Predicate, shown: boolean): Fragment {
    const dialect = filterDialects[this.product];
    return compile(predicate, subjectOf(kind, 't', dialect, shown), dialect);
  }
}
