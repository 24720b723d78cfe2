import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Int, Resolver, Root } from 'type-graphql';

import type { Page, SeekKey, Range } from '../../database/page';
import { InvalidInputError } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import type { Context } from '../context';
import { CREATION_CURSORS, type Cursors } from './cursors';
import { loadByKey } from './loader';
import { asksFor } from './look-ahead';
import { argsOf, nullable, objectOf } from './type-tables';

/** Default number of items in a page. */
export const DEFAULT_PAGE = 30;

/** Maximum number of items in a page. */
export const MAX_PAGE = 100;

/** The arguments of a Relay connection. */
export const PAGE = {
  first: [
    nullable(Int),
    `Return the first items: 1 to ${String(MAX_PAGE)}. The default, if \`last\` is not given either, is ${String(DEFAULT_PAGE)}.`,
  ],
  after: [nullable(String), 'Return only items after this cursor.'],
  last: [nullable(Int), `Return the last items: 1 to ${String(MAX_PAGE)}.`],
  before: [nullable(String), 'Return only items before this cursor.'],
} as const;

export const PageArgs = argsOf(PAGE);
export type PageArgs = InstanceType<typeof PageArgs>;

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
export const PageInfo = objectOf('PageInfo', 'Position of a page in its list (Relay).', {
  hasNextPage: [Boolean, 'Whether items follow the page.'],
  hasPreviousPage: [Boolean, 'Whether items precede the page.'],
  startCursor: [nullable(String), 'The cursor of the first item; null on an empty page.'],
  endCursor: [nullable(String), 'The cursor of the last item; null on an empty page.'],
});
export type PageInfo = InstanceType<typeof PageInfo>;

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

/** What the connections of the resources of a list have in common, and how they are read, by the keys of the resources. */
interface Connections<K, T> {
  readonly range: Range;
  readonly cursors?: Cursors;
  pagesOf(keys: readonly K[]): Promise<ReadonlyMap<K, Page<T>>>;
  /** Is called while the pages are read. */
  countsOf(keys: readonly K[], pages: Promise<unknown>): Promise<ReadonlyMap<K, number>>;
}

/** What GraphQL shows of a connection. */
interface ShownConnection {
  readonly type: new () => object;
  readonly description: string;
  readonly args?: new () => PageArgs;
}

/** Creates the resolver of a connection that starts from a resource. Those of the resources of a list are read together. */
export function connectionFrom<K, T extends Row>(
  kind: Kind,
  name: string,
  { type, description, args = PageArgs }: ShownConnection,
  keyOf: (resource: Resource) => K,
  connections: (args: PageArgs, context: Context, info: GraphQLResolveInfo) => Connections<K, T>,
): new () => object {
  @Resolver(() => kind.class)
  class ConnectionField {
    @FieldResolver(() => type, { description })
    async [name](
      @Root() resource: Resource,
      @Args(() => args) given: PageArgs,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<T>> {
      const found = await loadByKey(context, info, keyOf(resource), async (keys) => {
        const { range, cursors, ...read } = connections(given, context, info);
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
  }
  return ConnectionField;
}

type ItemType = new (...args: never[]) => object;

const made = new Map<ItemType, new () => object>();

/** Returns the connection type of an object type, which is created once. */
export function connectionOf(name: string, node: ItemType): new () => object {
  const cached = made.get(node);
  if (cached) return cached;

  const edge = objectOf(`${name}Edge`, `An item of a list of type ${name}, with its cursor (Relay).`, {
    cursor: [String, 'Position of the item in the list, for `after` or `before`.'],
    node: [node, 'The item.'],
  });
  const connection = objectOf(`${name}Connection`, `A page of a list of type ${name} (Relay).`, {
    edges: [[edge], 'The items with their cursors.'],
    nodes: [[node], 'The items without cursors.'],
    pageInfo: [PageInfo, 'Position of the page in the list.'],
    totalCount: [Int, 'Number of items on all pages.'],
  });
  made.set(node, connection);
  return connection;
}
