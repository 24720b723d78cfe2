import { LRUCache } from 'lru-cache';

import type { Product } from '../database/database';
import { all, type Fragment } from '../database/fragment';
import { compile } from '../filter/compile';
import { filterDialects } from '../filter/dialects';
import { parseFilter } from '../filter/json-path';
import type { Predicate } from '../filter/predicate';
import type { Kind } from './kind';
import { subjectOf } from './subject';

const MAX_KEPT = 1000;

/** Makes conditions of filters, for the database in use. */
export class Filters {
  private readonly compiled = new LRUCache<string, Fragment>({ max: MAX_KEPT });

  constructor(private readonly product: Product) {}

  /** The condition of a JsonPath filter, a typed one, or both, about a row named `t`; throws InvalidInputError. */
  condition(kind: Kind, filter: string | undefined, where?: Predicate): Fragment | undefined {
    if (filter === undefined && !where) return undefined;
    const condition = all([
      filter === undefined ? undefined : this.ofText(kind, filter),
      where && this.compile(kind, where),
    ]);
    return condition.text === 'TRUE' ? undefined : condition;
  }

  private ofText(kind: Kind, filter: string): Fragment {
    const key = `${kind.name} ${filter}`;
    const known = this.compiled.get(key);
    if (known) return known;
    const made = this.compile(kind, parseFilter(filter));
    this.compiled.set(key, made);
    return made;
  }

  private compile(kind: Kind, predicate: Predicate): Fragment {
    const dialect = filterDialects[this.product];
    return compile(predicate, subjectOf(kind, 't', dialect), dialect);
  }
}
