import { FALSE, TRUE, all, any, list, not, sql, type Fragment } from '../database/fragment';
import { sizeOf, sizeOfRelation, type Budget } from './budget';
import type { FilterDialect } from './dialect';
import { prefixOf, type Pattern } from './pattern/pattern';
import { MAX_SUBJECT } from './pattern/cost';
import { EACH, SCAN, type Operand, type Path, type Predicate, type Relation } from './predicate';
import { ABSENT, isThere, ofType, onEach, scalar, type Form, type ListForm, type ScalarForm, type Term } from './term';

/** A resource in SQL, as a filter sees it. */
export interface FilterSubject {
  /** What the resource's document has at a path. */
  term(path: Path): Term;
  /** How many members of the document a path may stand for. */
  width(path: Path): number;
  /** Whether a resource at the end of a link meets a condition. */
  linked(link: string, condition: (target: FilterSubject) => Fragment): Fragment;
  registered(): Fragment;
}

/**
 * Compiles a predicate to a condition. What is unknown to SQL (NULL) is what is not there, and so not met. Throws
 * InvalidInputError where the predicate is more than the budget allows.
 */
export function compile(
  predicate: Predicate,
  subject: FilterSubject,
  dialect: FilterDialect,
  budget: Budget,
): Fragment {
  return new Compiler(subject, dialect, budget).compile(predicate);
}

const ORDER = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const;
const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

class Compiler {
  constructor(
    private readonly subject: FilterSubject,
    private readonly dialect: FilterDialect,
    private readonly budget: Budget,
  ) {}

  private readonly width = (path: Path): number => this.subject.width(path);

  compile(predicate: Predicate): Fragment {
    switch (predicate.is) {
      case 'and':
        return all(predicate.of.map((each) => this.compile(each)));
      case 'or':
        return any(predicate.of.map((each) => this.compile(each)));
      case 'not':
        return not(this.compile(predicate.of));
      case 'exists':
        return this.exists(predicate.path);
      case 'relation':
        return this.relation(predicate.relation, predicate.left, predicate.right);
      case 'matches':
        this.budget.spend(sizeOf(predicate.operand, this.width));
        return onEach(this.term(predicate.operand), (term) => this.matches(term, predicate.pattern));
      case 'linked':
        return this.subject.linked(predicate.link, (target) =>
          compile(predicate.where, target, this.dialect, this.budget),
        );
      case 'registered':
        this.budget.spend(1);
        return this.subject.registered();
    }
  }

  private exists(path: Path): Fragment {
    this.budget.spend(sizeOf({ is: 'path', path }, this.width));
    const term = this.subject.term(path);
    return path.at(-1) === EACH ? ofType(term, 'list', ({ some }) => some(() => TRUE)) : isThere(term);
  }

  private term(operand: Operand): Term {
    switch (operand.is) {
      case 'path':
        return this.subject.term(operand.path);
      case 'literal':
        return [this.literal(operand)];
      case 'list':
        return [literalList(operand.items.map((item) => this.term(item)))];
      case 'length':
        return this.lengthOf(this.term(operand.of));
      case 'count':
        return this.countOf(operand.path);
    }
  }

  private literal({ value, text }: Extract<Operand, { is: 'literal' }>): Form {
    if (value === null) return { type: 'null', when: TRUE };
    const literal = { value, text };
    if (typeof value === 'boolean') return { ...scalar('boolean', sql`${value ? 1 : 0}`), literal };
    return { ...scalar(typeof value === 'string' ? 'string' : 'number', sql`${value}`), literal };
  }

  private lengthOf(term: Term): Term {
    return term.flatMap((form): Form[] => {
      if (form.type === 'list') return [scalar('number', form.size, form.when)];
      if (form.type !== 'string') return [];
      const { when, where } = form;
      return [{ type: 'number', when, where: (condition) => where((value) => condition(this.dialect.length(value))) }];
    });
  }

  private countOf(path: Path): Term {
    const term = this.subject.term(path);
    if (path.at(-1) !== EACH && !path.includes(SCAN))
      return [scalar('number', sql`(CASE WHEN ${isThere(term)} THEN 1 ELSE 0 END)`)];
    const [list] = term.filter((form) => form.type === 'list');
    return [scalar('number', list ? sql`(CASE WHEN ${list.when} THEN ${list.size} ELSE 0 END)` : sql`0`)];
  }

  private relation(relation: Relation, left: Operand, right: Operand): Fragment {
    // A literal on the left would be compared in the collation of the connection.
    if (left.is === 'literal' && right.is !== 'literal' && relation in MIRRORED) {
      return this.relation(MIRRORED[relation as keyof typeof MIRRORED], right, left);
    }
    this.budget.spend(sizeOfRelation(relation, left, right, this.width));
    const [a, b] = [left.is === 'literal' ? this.constant(left) : this.term(left), this.term(right)];
    switch (relation) {
      case '==':
        return this.equalOnEach(a, b);
      case '!=':
        return all([isThere(a), isThere(b), not(this.equalOnEach(a, b))]);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return onEach(a, (x) => onEach(b, (y) => this.ordered(relation, x, y)));
      case 'in':
        return onEach(a, (x) => this.has(b, x));
      case 'nin':
        return all([isThere(a), ofType(b, 'list', () => TRUE), not(onEach(a, (x) => this.has(b, x)))]);
      case 'contains':
        return any([this.has(a, b), this.substring(a, b)]);
      case 'subsetof':
        return eachList(a, b, (x, y) => not(x.some((entry) => not(this.isOneOf(entry, y)))));
      case 'anyof':
        return eachList(a, b, (x, y) => x.some((entry) => this.isOneOf(entry, y)));
      case 'noneof':
        return eachList(a, b, (x, y) => not(x.some((entry) => this.isOneOf(entry, y))));
      case 'size':
        return this.equalNumbers(this.lengthOf(a), b);
      case 'empty':
        return this.isEmpty(a, b);
    }
  }

  /** A literal in the place of a column. */
  private constant(operand: Extract<Operand, { is: 'literal' }>): Term {
    return [this.literal(operand)].map((form) =>
      form.type === 'string'
        ? { ...scalar('string', this.dialect.text(sql`${operand.text}`)), literal: operand }
        : form,
    );
  }

  private equalOnEach(a: Term, b: Term): Fragment {
    return onEach(a, (x) => onEach(b, (y) => this.equal(x, y)));
  }

  private equal(a: Term, b: Term): Fragment {
    return any(a.flatMap((x) => b.map((y) => all([x.when, y.when, this.equalForms(x, y)]))));
  }

  private equalForms(x: Form, y: Form): Fragment {
    if (x.type === 'null') return y.type === 'null' ? TRUE : FALSE;
    if (x.type === 'list') return y.type === 'list' ? this.equalLists(x, y) : FALSE;
    if (x.type === 'object' || y.type === 'null' || y.type === 'list' || y.type === 'object') return FALSE;
    if (x.type === y.type) return both(x, y, (a, b) => sql`${a} = ${b}`, true);
    if (x.type === 'string' && y.type === 'number') return equalAcrossTypes(x, y);
    return x.type === 'number' && y.type === 'string' ? equalAcrossTypes(y, x) : FALSE;
  }

  /** Entry by entry; one of the two is written in the filter, for two of a document are not compared. */
  private equalLists(x: ListForm, y: ListForm): Fragment {
    const items = (y as LiteralList).items ?? (x as LiteralList).items;
    const other = (y as LiteralList).items ? x : y;
    if (!items) return FALSE;
    return all([
      sql`${other.size} = ${items.length}`,
      ...items.map((item, place) => this.equal(other.at(place), item)),
    ]);
  }

  private equalNumbers(a: Term, b: Term): Fragment {
    return ofType(a, 'number', (x) => ofType(b, 'number', (y) => both(x, y, (p, q) => sql`${p} = ${q}`)));
  }

  private ordered(relation: keyof typeof ORDER, a: Term, b: Term): Fragment {
    const compared = (type: 'string' | 'number'): Fragment =>
      ofType(a, type, (x) => ofType(b, type, (y) => both(x, y, (p, q) => sql`${p} ${ORDER[relation]} ${q}`)));
    return any([compared('string'), compared('number')]);
  }

  private has(list: Term, member: Term): Fragment {
    return ofType(list, 'list', (form) =>
      form.scanned
        ? form.some((entry) => any([this.equal(entry, member), this.has(entry, member)]))
        : this.isOneOf(member, form),
    );
  }

  private isOneOf(member: Term, list: ListForm): Fragment {
    const { items } = list as LiteralList;
    if (!items) return list.some((entry) => this.equal(entry, member));
    return any(member.map((form) => all([form.when, this.isLiteralOf(form, items)])));
  }

  /** With IN: a database limits how deep its trees of OR are. */
  private isLiteralOf(form: Form, items: readonly Term[]): Fragment {
    if (form.type !== 'string' && form.type !== 'number') {
      const alike = items.filter((item) => item.some(({ type }) => type === form.type));
      return any(alike.map((item) => this.equal([form], item)));
    }
    if (form.literal) return any(items.map((item) => this.equal([form], item)));
    const values = new Set(items.flat().flatMap((item) => valuesEqualTo(item, form.type === 'string')));
    if (values.size === 0) return FALSE;
    if (values.size === 1) return form.where((value) => sql`${value} = ${list([...values])}`, true);
    return form.where((value) => sql`${value} IN (${list([...values])})`);
  }

  private substring(a: Term, b: Term): Fragment {
    const found = (p: Fragment, q: Fragment): Fragment => sql`INSTR(${p}, ${q}) > 0`;
    return ofType(a, 'string', (x) => ofType(b, 'string', (y) => both(x, y, found)));
  }

  private isEmpty(a: Term, b: Term): Fragment {
    const zero = this.lengthOf(a).map((form) => ({ form, is: (form as ScalarForm).where((size) => sql`${size} = 0`) }));
    return any(
      zero.map(({ form, is }) =>
        all([
          form.when,
          ofType(b, 'boolean', ({ literal, where }) => {
            if (literal) return literal.value === true ? is : not(is);
            return any([
              all([where((value) => sql`${value} = 1`), is]),
              all([where((value) => sql`${value} = 0`), not(is)]),
            ]);
          }),
        ]),
      ),
    );
  }

  private matches(term: Term, pattern: Pattern): Fragment {
    return any([
      ofType(term, 'string', (form) => this.textMatches(form, pattern)),
      ofType(term, 'number', (form) => this.textMatches(this.digitsOf(form), pattern)),
      ofType(term, 'boolean', ({ where }) =>
        where((value) =>
          this.match(this.dialect.text(sql`(CASE WHEN ${value} THEN 'true' ELSE 'false' END)`), pattern),
        ),
      ),
      ofType(term, 'list', ({ some }) =>
        some((entry) => ofType(entry, 'string', (form) => this.textMatches(form, pattern))),
      ),
    ]);
  }

  private digitsOf({ when, where }: ScalarForm): ScalarForm {
    return {
      type: 'string',
      when,
      where: (condition) =>
        // Fractions are not written alike by the databases.
        where((value) => all([sql`${value} = ROUND(${value})`, condition(this.dialect.digits(value))])),
    };
  }

  /** The characters that every match begins with give an index a range to seek. */
  private textMatches({ where, literal }: ScalarForm, pattern: Pattern): Fragment {
    const { prefix, rest } = prefixOf(pattern);
    if (literal) return where((value) => this.match(this.dialect.text(value), pattern));
    if (rest === 'nothing') return where((value) => sql`${value} = ${prefix}`, true);
    const successor = successorOf(prefix);
    const range = (value: Fragment): Fragment =>
      all([
        prefix === '' ? undefined : sql`${value} >= ${prefix}`,
        successor === undefined ? undefined : sql`${value} < ${successor}`,
      ]);
    return where((value) => all([range(value), rest === 'anything' ? undefined : this.match(value, pattern)]));
  }

  private match(value: Fragment, pattern: Pattern): Fragment {
    const { matches, length } = this.dialect;
    return sql`(${length(value)} <= ${MAX_SUBJECT} AND ${matches(value, pattern)})`;
  }
}

const MIRRORED = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

interface LiteralList extends ListForm {
  readonly items?: readonly Term[];
}

function literalList(items: readonly Term[]): LiteralList {
  return {
    ...{ type: 'list', when: TRUE, items, size: sql`${items.length}` },
    some: (condition) => any(items.map((item) => condition(item))),
    at: (place) => items.at(place) ?? ABSENT,
  };
}

function eachList(a: Term, b: Term, condition: (x: ListForm, y: ListForm) => Fragment): Fragment {
  return ofType(a, 'list', (x) => ofType(b, 'list', (y) => condition(x, y)));
}

function both(
  x: ScalarForm,
  y: ScalarForm,
  condition: (a: Fragment, b: Fragment) => Fragment,
  exact = false,
): Fragment {
  const isExact = exact && y.literal !== undefined;
  return x.where((a) => y.where((b) => condition(a, b)), isExact);
}

/** What a string or a number is equal to where it equals a literal. */
function valuesEqualTo(item: Form, asText: boolean): readonly (string | number)[] {
  if ((item.type !== 'string' && item.type !== 'number') || !item.literal) return [];
  const { text, value } = item.literal;
  if (asText) return [text];
  return typeof value === 'number' || NUMERIC.test(text) ? [Number(value)] : [];
}

/** A string equals a number that the filter writes alike, and a number one that a string of the filter is. */
function equalAcrossTypes(string: ScalarForm, number: ScalarForm): Fragment {
  if (number.literal) {
    const { text } = number.literal;
    return string.literal
      ? string.literal.text === text
        ? TRUE
        : FALSE
      : string.where((value) => sql`${value} = ${text}`, true);
  }
  if (!string.literal || !NUMERIC.test(string.literal.text)) return FALSE;
  const value = Number(string.literal.text);
  return number.where((column) => sql`${column} = ${value}`);
}

/** The first text, by code points, behind all that begin with a prefix; undefined where there is none. */
function successorOf(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // No surrogates: they are no characters.
  points.push(last === 0xd7ff ? 0xe000 : last + 1);
  return String.fromCodePoint(...points);
}
