import { TRUE, all, any, raw, sql, type Fragment } from '../../database/fragment';
import type { FilterSubject } from '../../filter/compile';
import type { FilterDialect } from '../../filter/dialect';
import { EACH, SCAN, type HealthOf, type Path } from '../../filter/predicate';
import { ABSENT, isThere, scan, within, type Term } from '../../filter/term';
import { isDestinationInHealth, isInHealth, PLACE_OF_DESTINATION } from '../../model/gateway-health';
import type { Kind } from '../../model/kind';
import { isSecretName } from '../../model/secret-name';
import { numbersAmong } from '../../sip/diagnosis/ranges';
import { linksOf, type Link } from '../read/links';
import { isNamed } from '../read/other-members';
import { isRegistered } from '../read/registered';
import { documentOf, objectPaths, type DocumentNode, type ResourceRow } from './document-terms';

/** What filters see of a row. */
export interface View {
  /**
   * Whether a field with `blank` has an empty string instead of no value, as in the legacy document. Not for typed
   * filters.
   */
  readonly blanks: boolean;
  /** Whether the members that the model does not know exist, apart from those that viewers see. */
  readonly others: boolean;
}

/**
 * Returns a row of a kind, with the alias `alias`, as filters see the row: the legacy document without secrets, and the
 * links.
 */
export function subjectOf(kind: Kind, alias: string, dialect: FilterDialect, view: View): FilterSubject {
  let count = 0;
  return new ResourceSubject(kind, alias, dialect, view, () => `${alias}${String(++count)}`);
}

class ResourceSubject implements FilterSubject, ResourceRow {
  constructor(
    readonly kind: Kind,
    readonly alias: string,
    readonly dialect: FilterDialect,
    readonly view: View,
    private readonly newAlias: () => string,
  ) {}

  term(path: Path): Term {
    const known = this.knownTerm(path);
    const field = this.view.blanks && this.kind.fields.find((each) => each.claims && isWithin(path, each.pathKeys));
    if (!field) return known;
    // Members that clients stored before the model had the field.
    return [...known, ...within(this.undeclaredTerm(path, 0), [sql`${this.column(field.column)} IS NULL`])];
  }

  private knownTerm(path: Path): Term {
    const at = path.indexOf(SCAN);
    if (at >= 0)
      // In every object that the model declares there or below.
      return scan(this.objectsBelow(path.slice(0, at)).map((object) => this.term([...object, ...path.slice(at + 1)])));
    let node: DocumentNode = documentOf(this.kind);
    for (const [index, step] of path.entries()) {
      if (typeof node === 'function') return this.within(node(this), path.slice(index));
      if (typeof step !== 'string') return ABSENT;
      const member: DocumentNode | undefined = node.get(step);
      if (!member) return this.undeclaredTerm(path, index);
      node = member;
    }
    return typeof node === 'function' ? node(this) : this.members(node, path);
  }

  width(path: Path): number {
    const scan = path.indexOf(SCAN);
    return scan < 0 ? 1 : this.objectsBelow(path.slice(0, scan)).length;
  }

  throughLinks(name: string, to: string | undefined, condition: (target: FilterSubject) => Fragment): Fragment {
    const reference = this.kind.references.find(({ refersTo }) => refersTo.link === name && !refersTo.through);
    if (reference) {
      const target = this.next(reference.refersTo.target);
      return sql`${this.column(reference.column)} IN (SELECT ${target.column('id')} FROM ${target.table} WHERE ${condition(target)})`;
    }
    const links = linksOf(this.kind).filter(
      (link) => link.name === name && (to ?? link.target.name) === link.target.name,
    );
    if (links.length === 0) throw new Error(`${this.kind.name} has no link ${name}`);
    return any(links.map((link) => this.through(link, condition)));
  }

  registered(): Fragment {
    return isRegistered(this.kind, this.alias);
  }

  health(of: HealthOf, states: readonly string[]): Fragment {
    if (of === 'host') return isInHealth(this.alias, states, Date.now());
    return this.dialect.hasObject(this.column('destinations'), PLACE_OF_DESTINATION, (member) =>
      isDestinationInHealth(this.alias, member, states, Date.now()),
    );
  }

  covers(digits: readonly string[]): Fragment {
    return sql`${this.column('id')} IN (SELECT w.id FROM (${numbersAmong(digits)}) w)`;
  }

  whereReadable(condition: Fragment): Fragment {
    const extra = this.column('extra');
    return condition.text.includes(extra.text) ? this.dialect.whereReadable(extra, condition) : condition;
  }

  column(name: string): Fragment {
    return raw(`${this.alias}.${name}`);
  }

  get table(): Fragment {
    return raw(`${this.kind.table} ${this.alias}`);
  }

  next(kind: Kind): ResourceSubject {
    return new ResourceSubject(kind, this.newAlias(), this.dialect, this.view, this.newAlias);
  }

  private through({ target: kind, ...link }: Link, condition: (target: FilterSubject) => Fragment): Fragment {
    const target = this.next(kind);
    // The table of the target needs no other name, and no join with itself, which keeps databases from its indexes.
    const own = (text: string): Fragment => raw(link.isOwn ? text.replaceAll(/\bt\./g, `${target.alias}.`) : text);
    const from = link.isOwn
      ? target.table
      : sql`${raw(link.from)} JOIN ${target.table} ON ${target.column('id')} = ${raw(link.id)}`;
    const where = all([link.where === undefined ? undefined : own(link.where), condition(target)]);
    return sql`${this.column('id')} IN (SELECT ${own(link.parent)} FROM ${from} WHERE ${where})`;
  }

  private objectsBelow(from: Path): readonly Path[] {
    return objectPaths(documentOf(this.kind)).filter((object) => from.every((step, at) => object[at] === step));
  }

  /** Returns the term at a path within a value that is not an object of the model. Only lists have such terms. */
  private within(term: Term, [step, ...more]: Path): Term {
    if (step === undefined) return term;
    const entries = term.flatMap((form) => (form.type === 'list' ? [form] : []));
    const [name] = more;
    if (step === EACH && typeof name === 'string') return entries.flatMap(({ membersOf }) => membersOf?.(name) ?? []);
    if (step === EACH) return entries;
    const steps = [step, ...more].filter((each) => typeof each !== 'symbol');
    const [below] = entries.flatMap((form) => form.below ?? []);
    if (below && typeof step === 'number' && steps.length === more.length + 1) return below(steps);
    if (typeof step !== 'number') return ABSENT;
    return this.within(
      entries.flatMap(({ at }) => at(step)),
      more,
    );
  }

  /**
   * Returns a member that the model does not define. The member is absent if the caller does not see it, or if its
   * name, or the name of a parent, is like that of a secret.
   */
  private undeclaredTerm(path: Path, from: number): Term {
    if (!this.view.others)
      return isNamed(path) ? this.storedTerm(path).filter(({ type }) => type !== 'object' && type !== 'list') : ABSENT;
    if (path.slice(from).some((step) => typeof step === 'string' && isSecretName(step))) return ABSENT;
    const each = path.at(-1) === EACH;
    const steps = each ? path.slice(0, -1) : path;
    const term = this.storedTerm(steps);
    return each ? term.filter(({ type }) => type === 'list') : term;
  }

  private storedTerm(steps: Path): Term {
    return this.dialect.json(
      this.column('extra'),
      steps.filter((step) => typeof step !== 'symbol'),
    );
  }

  /** An object exists if one of its members exists. */
  private members(members: ReadonlyMap<string, DocumentNode>, path: Path): Term {
    const known = [...members.values()].map((node) =>
      typeof node === 'function' ? isThere(node(this)) : isThere(this.members(node, path)),
    );
    const others = this.view.others ? [isThere(this.storedTerm(path))] : [];
    return [{ type: 'object', when: path.length === 0 ? TRUE : any([...known, ...others]) }];
  }
}

/** Whether a path is that of a member or leads into its value. */
function isWithin(path: Path, keys: readonly string[]): boolean {
  return keys.every((key, index) => path[index] === key);
}
