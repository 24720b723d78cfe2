import { TRUE, all, any, raw, sql, type Fragment } from '../database/fragment';
import type { Subject } from '../filter/compile';
import type { FilterDialect } from '../filter/dialect';
import { EACH, SCAN, type Path } from '../filter/predicate';
import { ABSENT, isThere, scalar, scanned, type Form, type ScalarForm, type Term } from '../filter/term';
import { API_VERSION, type Field, type Kind } from '../model/kind';
import { kindOf, referencesOf } from '../model/kinds';
import { linksOf, targetLinks, type Link } from './links';
import { registered } from './registered';
import { isSecretName } from '../model/secret-name';

/** What the legacy document of a kind has at a place: members, or what a row has there. */
type Node = ReadonlyMap<string, Node> | ((subject: SubjectOfKind) => Term);

const documents = new Map<Kind, Node>();

/**
 * A row of a kind, named `alias`, as filters see it: the legacy document without its secrets, and the links. What is not
 * known is an empty text where the document is `shown` with one, and is not there for typed filters.
 */
export function subjectOf(kind: Kind, alias: string, dialect: FilterDialect, shown: boolean): Subject {
  let count = 0;
  return new SubjectOfKind(kind, alias, dialect, shown, () => `${alias}${String(++count)}`);
}

class SubjectOfKind implements Subject {
  constructor(
    readonly kind: Kind,
    readonly alias: string,
    readonly dialect: FilterDialect,
    readonly shown: boolean,
    private readonly newAlias: () => string,
  ) {}

  term(path: Path): Term {
    const scan = path.indexOf(SCAN);
    if (scan >= 0) return this.scan(path.slice(0, scan), path.slice(scan + 1));
    let node = documentOf(this.kind);
    for (const [index, step] of path.entries()) {
      if (typeof node === 'function') return this.within(node(this), path.slice(index));
      if (typeof step !== 'string') return ABSENT;
      const member = node.get(step);
      if (!member) return this.unknown(path, index);
      node = member;
    }
    return typeof node === 'function' ? node(this) : this.members(node, path);
  }

  width(path: Path): number {
    const scan = path.indexOf(SCAN);
    return scan < 0 ? 1 : this.objectsBelow(path.slice(0, scan)).length;
  }

  linked(name: string, condition: (target: Subject) => Fragment): Fragment {
    const reference = referencesOf(this.kind).find(({ refersTo }) => refersTo.link === name && !refersTo.through);
    if (reference) {
      const target = this.next(kindOf(reference.refersTo.kind));
      return sql`${this.column(reference.column)} IN (SELECT ${target.column('id')} FROM ${target.table} WHERE ${condition(target)})`;
    }
    const links = name === 'target' ? targetLinks : linksOf(this.kind).filter((link) => link.name === name);
    if (links.length === 0) throw new Error(`${this.kind.name} has no link ${name}`);
    return any(links.map((link) => this.through(link, condition)));
  }

  registered(): Fragment {
    return registered(this.kind, this.alias);
  }

  column(name: string): Fragment {
    return raw(`${this.alias}.${name}`);
  }

  get table(): Fragment {
    return raw(`${this.kind.table} ${this.alias}`);
  }

  /** The target of a link, or of a reference, under a name of its own. */
  next(kind: Kind): SubjectOfKind {
    return new SubjectOfKind(kind, this.newAlias(), this.dialect, this.shown, this.newAlias);
  }

  private through({ target: kind, ...link }: Link, condition: (target: Subject) => Fragment): Fragment {
    const target = this.next(kind);
    const where = all([link.where === undefined ? undefined : raw(link.where), condition(target)]);
    return sql`${this.column('id')} IN (SELECT ${raw(link.parent)} FROM ${raw(link.from)}
      JOIN ${target.table} ON ${target.column('id')} = ${raw(link.id)} WHERE ${where})`;
  }

  /** The members of a name in all objects that the model knows. */
  private scan(from: Path, to: Path): Term {
    return scanned(this.objectsBelow(from).map((object) => this.term([...object, ...to])));
  }

  private objectsBelow(from: Path): readonly Path[] {
    return objectsOf(documentOf(this.kind)).filter((object) => from.every((step, at) => object[at] === step));
  }

  /** A step into what is no object of the model. */
  private within(term: Term, [step, ...more]: Path): Term {
    if (step === undefined) return term;
    const entries = term.flatMap((form) => (form.type === 'list' ? [form] : []));
    if (step === EACH) return entries;
    if (typeof step !== 'number') return ABSENT;
    return this.within(
      entries.flatMap(({ at }) => at(step)),
      more,
    );
  }

  /** A member that the model does not know, from a step on: not there if it may be a secret. */
  private unknown(path: Path, from: number): Term {
    if (path.slice(from).some((step) => typeof step === 'string' && isSecretName(step))) return ABSENT;
    const each = path.at(-1) === EACH;
    const steps = each ? path.slice(0, -1) : path;
    const term = this.stored(steps);
    return each ? term.filter(({ type }) => type === 'list') : term;
  }

  private stored(steps: Path): Term {
    return this.dialect.json(
      this.column('extra'),
      steps.filter((step) => typeof step !== 'symbol'),
    );
  }

  /** An object is there when one of its members is. */
  private members(members: ReadonlyMap<string, Node>, path: Path): Term {
    const known = [...members.values()].map((node) =>
      typeof node === 'function' ? isThere(node(this)) : isThere(this.members(node, path)),
    );
    const stored = path.length === 0 ? TRUE : isThere(this.stored(path));
    return [{ type: 'object', when: any([...known, stored]) }];
  }
}

/** The paths of the objects that a document has. */
function objectsOf(node: Node, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof node === 'function') return [];
  return [path, ...[...node].flatMap(([name, below]) => objectsOf(below, [...path, name]))];
}

/** The document's shape: made once for a kind. */
function documentOf(kind: Kind): Node {
  const known = documents.get(kind);
  if (known) return known;
  const made = new Map<string, Node>();
  put(made, ['apiVersion'], ({ dialect }) => constant(API_VERSION, dialect));
  put(made, ['kind'], ({ dialect }) => constant(kind.name, dialect));
  put(made, ['metadata', 'ref'], (subject) => [scalar('string', subject.column('ref'))]);
  for (const name of ['createdOn', 'modifiedOn']) {
    const column = name.replace('On', '_on');
    put(made, ['metadata', name], (subject) => [scalar('string', subject.dialect.isoTime(subject.column(column)))]);
  }
  for (const field of kind.fields) {
    // A secret is not there, whatever is asked of it.
    put(made, field.pathKeys, field.secret ? () => ABSENT : (subject) => [formOf(field, subject)]);
  }
  documents.set(kind, made);
  return made;
}

function put(members: Map<string, Node>, [key = '', ...below]: readonly string[], node: Node): void {
  if (below.length === 0) {
    members.set(key, node);
    return;
  }
  const child = members.get(key) ?? (new Map() as ReadonlyMap<string, Node>);
  members.set(key, child);
  if (typeof child !== 'function') put(child as Map<string, Node>, below, node); // made above
}

function constant(text: string, dialect: FilterDialect): Term {
  return [scalar('string', dialect.text(sql`${text}`))];
}

function formOf(field: Field, subject: SubjectOfKind): Form {
  const { refersTo, format } = field;
  const column = subject.column(field.column);
  if (refersTo?.through) return listOfReferences(field, refersTo, subject);
  if (field.blank && subject.shown) return scalar('string', subject.dialect.text(sql`COALESCE(${column}, '')`));
  const when = field.required ? TRUE : sql`${column} IS NOT NULL`;
  if (refersTo) return { ...referenceForm(refersTo, column, subject), when };
  switch (format.schema.type) {
    case 'array':
      return subject.dialect.texts(column);
    case 'integer':
      return scalar('number', column, when);
    case 'boolean':
      return scalar('boolean', column, when);
    case 'string':
      return scalar('string', column, when);
  }
}

type Reference = NonNullable<Field['refersTo']>;

/** The ref of another resource: that one's index finds it, and then this table's index finds who refers to it. */
function referenceForm(reference: Reference, column: Fragment, subject: SubjectOfKind): Omit<ScalarForm, 'when'> {
  const target = subject.next(kindOf(reference.kind));
  const { name, value } = nameOf(reference, target);
  return {
    type: 'string',
    where: (condition, exact = false) => {
      const rows = sql`(SELECT ${target.column('id')} FROM ${target.table} WHERE ${all([name, condition(value)])})`;
      return exact ? sql`${column} = ${rows}` : sql`${column} IN ${rows}`;
    },
  };
}

/** What resources are referred to by, and what finds only those of the kind where a table has several. */
function nameOf(
  { by }: Reference,
  target: SubjectOfKind,
): { readonly name: Fragment | undefined; readonly value: Fragment } {
  const field = target.kind.fields.find(({ name }) => name === by);
  return {
    name: target.kind.shared ? sql`${target.column('kind')} = ${target.kind.name}` : undefined,
    value: target.column(field?.column ?? 'ref'),
  };
}

function listOfReferences({ refersTo }: Field, reference: Reference, subject: SubjectOfKind): Form {
  const target = subject.next(kindOf(reference.kind));
  const { value } = nameOf(reference, target);
  const { table, owner } = refersTo?.through ?? { table: '', owner: '' };
  const members = raw(`m${target.alias}`);
  const of = sql`${members}.${raw(owner)}`;
  const from = sql`${raw(table)} ${members} JOIN ${target.table} ON ${target.column('id')} = ${members}.${raw(reference.column)}`;
  const own = sql`${of} = ${subject.column('id')}`;
  const position = sql`${members}.position`;
  return {
    type: 'list',
    when: TRUE,
    some: (condition) =>
      sql`${subject.column('id')} IN (SELECT ${of} FROM ${from} WHERE ${condition([scalar('string', value)])})`,
    size: sql`(SELECT COUNT(*) FROM ${raw(table)} ${members} WHERE ${own})`,
    at: (place) => {
      const order = place < 0 ? sql`${position} DESC` : position;
      const entry = sql`(SELECT ${value} FROM ${from} WHERE ${own} ORDER BY ${order} LIMIT 1 OFFSET ${place < 0 ? -place - 1 : place})`;
      return [scalar('string', entry, sql`${entry} IS NOT NULL`)];
    },
  };
}
