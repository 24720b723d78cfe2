import { workOfOneFilter } from '../../filter/pattern/cost';
import type { Path, Predicate } from '../../filter/predicate';
import type { Field, Kind, Lookup } from '../../model/kind';
import { linksOf } from '../../resources/read/links';
import { and, condition, relation, whether, wrong } from './conditions';

type Input = Readonly<Record<string, unknown>>;

const MAX_NESTING = 16;
const MAX_CONDITIONS = 200;

/** Returns the predicate of a typed filter. Throws InvalidInputError with the position of the invalid condition. */
export function predicateOf(kind: Kind, where: Input): Predicate {
  return new WhereReader().of(kind, where, []);
}

class WhereReader {
  private conditions = 0;
  private readonly work = workOfOneFilter();

  of(kind: Kind, where: Input, at: readonly string[]): Predicate {
    if (at.length > MAX_NESTING) throw wrong(at, `is nested more than ${String(MAX_NESTING)} levels deep`);
    return and(entriesOf(where).map(([name, value]) => this.part(kind, name, value, [...at, name])));
  }

  private part(kind: Kind, name: string, value: unknown, at: readonly string[]): Predicate {
    const below = (each: unknown, index: number): Predicate => {
      this.count();
      return this.of(kind, objectIn(each, at), [...at, String(index)]);
    };
    this.count();
    if (value === null) throw wrong(at, 'is null; omit it, or use isNull');
    switch (name) {
      case 'and':
        return and((value as readonly unknown[]).map(below));
      case 'or':
        return { is: 'or', of: (value as readonly unknown[]).map(below) };
      case 'not':
        return { is: 'not', of: this.of(kind, objectIn(value, at), at) };
      case 'registered':
        return whether({ is: 'registered' }, value === true);
      case 'ref':
      case 'createdOn':
      case 'modifiedOn':
        return this.ofField(['metadata', name], objectIn(value, at), at);
      default:
        return this.ofMember(kind, name, objectIn(value, at), at);
    }
  }

  private ofMember(kind: Kind, name: string, value: Input, at: readonly string[]): Predicate {
    const lookup = kind.lookups.find((each) => each.name === name);
    if (lookup) return and(entriesOf(value).map(([key, each]) => this.ofLookup(lookup, key, each, [...at, key])));
    const target = targetOf(kind, name);
    if (target) return { is: 'linked', link: name, where: this.of(target, value, at) };
    const field = kind.fields.find((each) => each.name === name);
    if (field) return this.ofField(field.pathKeys, value, at);
    const group = kind.fields.filter(({ keys }) => keys[0] === name);
    return and(entriesOf(value).map(([key, each]) => this.ofGroup(group, key, each, [...at, key])));
  }

  private ofGroup(group: readonly Field[], key: string, value: unknown, at: readonly string[]): Predicate {
    const field = group.find(({ keys }) => keys[1] === key);
    return this.ofField(field?.pathKeys ?? [], objectIn(value, at), at);
  }

  /** A lookup leads to at most one resource. A condition on a kind holds only for a resource of that kind. */
  private ofLookup(lookup: Lookup, key: string, value: unknown, at: readonly string[]): Predicate {
    const target = (where: Predicate): Predicate => ({ is: 'linked', link: lookup.name, where });
    if (key === 'exists') return whether(target(and([])), value === true);
    if (key === 'registered') return whether(target({ is: 'registered' }), value === true);
    const found = lookup.to.find((to) => to.target.singular === key)?.target;
    if (!found) throw wrong(at, 'is not a condition');
    const kindIs = relation(['kind'], '==', found.name);
    return target(and([kindIs, this.of(found, objectIn(value, at), at)]));
  }

  private count(): void {
    if (++this.conditions > MAX_CONDITIONS) throw wrong([], `has more than ${String(MAX_CONDITIONS)} conditions`);
  }

  private ofField(path: Path, conditions: Input, at: readonly string[]): Predicate {
    return and(
      entriesOf(conditions).map(([name, value]) => {
        const place = [...at, name];
        this.count();
        if (value === null) throw wrong(place, 'is null; omit it, or use isNull');
        return condition(path, name, value, place, this.work);
      }),
    );
  }
}

/** The kind that a link leads to; undefined if no link has this name. */
function targetOf(kind: Kind, link: string): Kind | undefined {
  const reference = kind.references.find(({ refersTo }) => refersTo.link === link);
  return reference?.refersTo.target ?? linksOf(kind).find(({ name }) => name === link)?.target;
}

/** The members that are given. An omitted variable is undefined. */
function entriesOf(input: Input): [string, unknown][] {
  return Object.entries(input).filter(([, value]) => value !== undefined);
}

function objectIn(value: unknown, at: readonly string[]): Input {
  if (typeof value === 'object' && value !== null) return value as Input;
  throw wrong(at, 'is null; omit it, or use isNull');
}
