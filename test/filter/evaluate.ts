import { JAVASCRIPT, writePattern } from '../../src/filter/pattern/pattern';
import { EACH, SCAN, type Operand, type Path, type Predicate, type Relation } from '../../src/filter/predicate';

type Text = Extract<Operand, { is: 'literal' }>;
/** A value, and its text if the filter contains it. */
interface Known {
  readonly value: unknown;
  readonly text?: string;
}

const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Whether a document meets a predicate. A reference implementation in TypeScript, with which the SQL of src/filter must
 * agree.
 */
export function meets(document: unknown, predicate: Predicate): boolean {
  switch (predicate.is) {
    case 'and':
      return predicate.of.every((each) => meets(document, each));
    case 'or':
      return predicate.of.some((each) => meets(document, each));
    case 'not':
      return !meets(document, predicate.of);
    case 'exists': {
      const found = at(document, predicate.path);
      return predicate.path.at(-1) === EACH ? Array.isArray(found) && found.length > 0 : found !== undefined;
    }
    case 'matches': {
      const pattern = new RegExp(writePattern(predicate.pattern, JAVASCRIPT), 'u');
      const { value } = known(document, predicate.operand) ?? {};
      if (Array.isArray(value)) return value.some((entry) => typeof entry === 'string' && pattern.test(entry));
      if (typeof value === 'number') return Number.isSafeInteger(value) && pattern.test(String(value));
      return (typeof value === 'string' || typeof value === 'boolean') && pattern.test(String(value));
    }
    case 'relation': {
      const [left, right] = [known(document, predicate.left), known(document, predicate.right)];
      return left !== undefined && right !== undefined && holds(predicate.relation, left, right);
    }
    default:
      throw new Error(`${predicate.is} is not about a document`);
  }
}

function holds(relation: Relation, left: Known, right: Known): boolean {
  const [a, b] = [left.value, right.value];
  const entries = (of: Known): readonly Known[] => (Array.isArray(of.value) ? of.value.map(entry) : []);
  const has = (list: Known, one: Known): boolean => entries(list).some((each) => equal(each, one));
  switch (relation) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case '<':
      return ordered(a, b, (order) => order < 0);
    case '<=':
      return ordered(a, b, (order) => order <= 0);
    case '>':
      return ordered(a, b, (order) => order > 0);
    case '>=':
      return ordered(a, b, (order) => order >= 0);
    case 'in':
      return has(right, left);
    case 'nin':
      return Array.isArray(b) && !has(right, left);
    case 'contains':
      return has(left, right) || (typeof a === 'string' && typeof b === 'string' && a.includes(b));
    case 'subsetof':
      return Array.isArray(a) && Array.isArray(b) && entries(left).every((each) => has(right, each));
    case 'anyof':
      return Array.isArray(a) && Array.isArray(b) && entries(left).some((each) => has(right, each));
    case 'noneof':
      return Array.isArray(a) && Array.isArray(b) && !entries(left).some((each) => has(right, each));
    case 'size':
      return typeof b === 'number' && lengthOf(a) === b;
    case 'empty':
      return typeof b === 'boolean' && lengthOf(a) !== undefined && (lengthOf(a) === 0) === b;
  }
}

/** An entry of a list in the filter keeps its text. */
function entry(item: unknown): Known {
  return isWritten(item) ? item : { value: item };
}

function isWritten(item: unknown): item is Known {
  return typeof item === 'object' && item !== null && 'text' in item && 'value' in item;
}

function equal(left: Known, right: Known): boolean {
  const [a, b] = [left.value, right.value];
  if (Array.isArray(a) && Array.isArray(b)) {
    // Lists are compared only with list literals, not with each other.
    if (left.text === undefined && right.text === undefined) return false;
    return a.length === b.length && a.every((item, index) => equal(entry(item), entry(b[index])));
  }
  if (typeof a === 'string' && typeof b === 'number') return acrossTypes(left, right);
  if (typeof a === 'number' && typeof b === 'string') return acrossTypes(right, left);
  return a === b;
}

function acrossTypes(string: Known, number: Known): boolean {
  if (number.text !== undefined) return string.value === number.text;
  return string.text !== undefined && NUMERIC.test(string.text) && Number(string.text) === number.value;
}

function ordered(a: unknown, b: unknown, test: (order: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return test(a - b);
  if (typeof a === 'string' && typeof b === 'string') return test(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return false;
}

function known(document: unknown, operand: Operand): Known | undefined {
  switch (operand.is) {
    case 'literal':
      return { value: operand.value, text: operand.text };
    case 'list':
      return {
        value: operand.items.map((item) => ({ value: (item as Text).value, text: (item as Text).text })),
        text: '[]',
      };
    case 'path':
      return defined(at(document, operand.path));
    case 'length':
      return defined(lengthOf(known(document, operand.of)?.value));
    case 'count': {
      const found = at(document, operand.path);
      if (operand.path.at(-1) === EACH) return { value: Array.isArray(found) ? found.length : 0 };
      return { value: found === undefined ? 0 : 1 };
    }
  }
}

function defined(value: unknown): Known | undefined {
  return value === undefined ? undefined : { value };
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : undefined;
}

function at(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, step) => {
    if (step === EACH) return Array.isArray(found) ? found : undefined;
    if (typeof step === 'number') return Array.isArray(found) ? found.at(step) : undefined;
    if (step === SCAN) throw new Error('a deep scan is not part of the properties');
    return isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }, document);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
