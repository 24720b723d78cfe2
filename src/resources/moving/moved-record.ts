import { MAX_NAME, shorten } from '../../errors';

/** A record of another system, as a resource. */
export interface MovedRecord {
  /**
   * Where it comes from, such as `subscriber 17`. All records of a place are left out together, so two resources of one row
   * that can do without each other have two places.
   */
  readonly place: string;
  /** A name without spaces by which later records refer to it, as `#key` in the place of a ref. */
  readonly key?: string | undefined;
  /** The fields as an import of CSV reads them. A field that is missing stays as it is. */
  readonly cells: Readonly<Record<string, string>>;
}

/** In the place of a secret that is generated when the resource is created. */
export const NEW_SECRET = '#new';

/** The cells that are not empty. */
export function nonEmpty(cells: Readonly<Record<string, string>>): MovedRecord['cells'] {
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== ''));
}

/** What becomes of the records of another system: those of each kind, in the order in which they are read. */
export type Mapping = Readonly<Record<string, () => AsyncIterable<MovedRecord> | Iterable<MovedRecord>>>;

/** What an operator says about a move. */
export interface MappingOptions {
  /** The gateway of the numbers that name none: its key, host or name in the other system, or a ref. */
  readonly gateway: string | undefined;
  /** Whether a user without a stored password gets a new one. */
  readonly newSecrets: boolean;
  /** Converts a number as the other system writes it to a tel URI; returns undefined for what is no number. */
  readonly telUrl: (text: string, isWhole?: boolean) => string | undefined;
  /** Places of records that are left out: no other record should name them. */
  readonly skip: ReadonlySet<string>;
}

/** Something that a report counts, and the first record that it is about. */
export interface Counted {
  readonly what: string;
  readonly count: number;
  readonly first: string;
}

/** The most notes of a report: some name what a dump calls its tables and kinds. */
const MOST_NOTES = 1000;

/** What of another system has no counterpart, and what to look at, by what it is. */
export class MoveReport {
  private readonly without = new Map<string, Counted>();
  private readonly toCheck = new Map<string, Counted>();

  get missing(): readonly Counted[] {
    return [...this.without.values()];
  }

  get checks(): readonly Counted[] {
    return [...this.toCheck.values()];
  }

  /** Notes records that are left out, or a part of one. */
  miss(what: string, first: string, count = 1): void {
    add(this.without, what, first, count);
  }

  /** Notes a record whose counterpart differs in something that an operator should know. */
  check(what: string, first: string): void {
    add(this.toCheck, what, first, 1);
  }
}

function add(all: Map<string, Counted>, said: string, first: string, count: number): void {
  const short = shorten(said, MAX_NAME);
  const what = all.has(short) || all.size < MOST_NOTES ? short : 'more of other kinds';
  const known = all.get(what);
  all.set(what, known ? { ...known, count: known.count + count } : { what, count, first: shorten(first, MAX_NAME) });
}
