import type { GraphQLResolveInfo } from 'graphql';
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';

import type { Page, SeekKey, Range } from '../../database/page';
import { InvalidInputError } from '../../errors';
import type { Context } from '../context';
import { CREATION_CURSORS, type Cursors } from './cursors';
import { loadByKey } from './loader';
import { asksFor } from './look-ahead';

/** Default number of items in a page. */
export const DEFAULT_PAGE = 30;

/** Maximum number of items in a page. */
export const MAX_PAGE = 100;

/** The arguments of a Relay connection. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Return the first items: 1 to ${String(MAX_PAGE)}. The default, if \`last\` is not given either, is ${String(DEFAULT_PAGE)}.`,
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Return only items after this cursor.' })
  after?: string | null;

  @Field(() => Int, { nullable: true, description: `Return the last items: 1 to ${String(MAX_PAGE)}.` })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'Return only items before this cursor.' })
  before?: string | null;
}

/**
 * Converts the arguments to a range. Throws InvalidInputError for an invalid page size or cursor, or for both `first`
 * and `last`.
 */
export function rangeOf({ first, after, last, before }: PageArgs, cursors: Cursors = CREATION_CURSORS): Range {
  if (typeof first === 'number' && typeof last === 'number') {
    throw InvalidInputError.of('last', 'cannot be combined with first');
  }
  const name = typeof last === 'number' ? 'last' : 'first';
  const limit = last ?? first ?? DEFAULT_PAGE;
  if (limit < 1 || limit > MAX_PAGE) {
    throw InvalidInputError.of(name, `${String(limit)} is not a number from 1 to ${String(MAX_PAGE)}`);
  }
  const read = (bound: string, cursor: string | null | undefined): SeekKey | undefined =>
    cursor === null || cursor === undefined ? undefined : cursors.read(bound, cursor);
  return {
    after: read('after', after),
    before: read('before', before),
    limit,
    backwards: name === 'last',
  };
}

/** Relay's PageInfo. */
@ObjectType({ description: 'Position of a page in its list (Relay).' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether items follow the page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether items precede the page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first item; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the last item; null on an empty page.' })
  endCursor!: string | null;
}

interface Row {
  readonly rowId: number;
  readonly seekKey?: SeekKey;
}

/** A page of a connection. Fields are computed only if they are selected. */
export class Connection<T extends Row> {
  constructor(
    private readonly page: Page<T>,
    protected readonly range: Range,
    /** Undefined if it was not selected. */
    readonly totalCount?: number,
    private readonly cursors: Cursors = CREATION_CURSORS,
  ) {}

  get nodes(): readonly T[] {
    return this.page.items;
  }

  get edges(): readonly { readonly cursor: string; readonly node: T }[] {
    return this.page.items.map((node) => ({ cursor: this.cursors.write(node), node }));
  }

  get pageInfo(): PageInfo {
    const { items, more } = this.page;
    const { after, before, backwards } = this.range;
    const [first, last] = [items.at(0), items.at(-1)];
    return {
      hasNextPage: backwards ? before !== undefined : more,
      hasPreviousPage: backwards ? more : after !== undefined,
      startCursor: first ? this.cursors.write(first) : null,
      endCursor: last ? this.cursors.write(last) : null,
    };
  }
}

/** Awaits a page, and counts the items on all pages if that is selected. */
export async function readConnection<T extends Row>(
  info: GraphQLResolveInfo,
  range: Range,
  page: Promise<Page<T>>,
  count: () => Promise<number>,
  cursors?: Cursors,
): Promise<Connection<T>> {
  const [found, total] = await Promise.all([page, asksFor('totalCount', info) ? count() : undefined]);
  return new Connection(found, range, total, cursors);
}

const NOTHING: Page<never> = { items: [], more: false };

/** What the connections of the objects of a list have in common, and how they are read, by the keys of the objects. */
interface Connections<K, T> {
  readonly range: Range;
  readonly cursors?: Cursors;
  pagesOf(keys: readonly K[]): Promise<ReadonlyMap<K, Page<T>>>;
  /** Is called while the pages are read. */
  countsOf(keys: readonly K[], pages: Promise<unknown>): Promise<ReadonlyMap<K, number>>;
}

/** Reads the connections of all objects of a list together, and returns that of the object with this key. */
export async function connectionAt<K, T extends Row>(
  [context, info]: readonly [Context, GraphQLResolveInfo],
  key: K,
  connections: () => Connections<K, T>,
): Promise<Connection<T>> {
  const found = await loadByKey(context, info, key, async (keys) => {
    const { range, cursors, ...read } = connections();
    const reading = read.pagesOf(keys);
    const counting = asksFor('totalCount', info) ? read.countsOf(keys, reading) : undefined;
    const [pages, counts] = await Promise.all([reading, counting]);
    const connection = (each: K): Connection<T> =>
      new Connection(pages.get(each) ?? NOTHING, range, counts && (counts.get(each) ?? 0), cursors);
    return new Map(keys.map((each) => [each, connection(each)]));
  });
  if (!found) throw new Error('the connection was not loaded');
  return found;
}

type ItemType = new (...args: never[]) => object;

const made = new Map<ItemType, new () => object>();

/** Returns the connection type of an object type, which is created once. */
export function connectionOf(name: string, node: ItemType): new () => object {
  const cached = made.get(node);
  if (cached) return cached;

  @ObjectType(`${name}Edge`, { description: `An item of a list of type ${name}, with its cursor (Relay).` })
  class Edge {
    @Field(() => String, { description: 'Position of the item in the list, for `after` or `before`.' })
    cursor!: string;

    @Field(() => node, { description: 'The item.' })
    node!: object;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of type ${name} (Relay).` })
  class PageOfNodes {
    @Field(() => [Edge], { description: 'The items with their cursors.' })
    edges!: readonly Edge[];

    @Field(() => [node], { description: 'The items without cursors.' })
    nodes!: readonly object[];

    @Field(() => PageInfo, { description: 'Position of the page in the list.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'Number of items on all pages.' })
    totalCount!: number;
  }

  made.set(node, PageOfNodes);
  return PageOfNodes;
}
