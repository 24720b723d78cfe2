import type { Nodes, PageInfo } from '../graph/lists';
import { rememberName } from '../graph/names';
import { request } from '../graph/request';
import { orderOf, type Kind, type Model } from '../model/model';
import { texts } from '../texts';
import { selectionOf, stateSelectionOf } from './queries';

/** A resource as the graph returns it. */
export type Node = Readonly<Record<string, unknown>> & { readonly ref: string };

/** A list: what it contains and in which order. */
interface ListQuery {
  readonly kind: Kind;
  readonly where: object | undefined;
  readonly sort: { readonly field: string; readonly order: string } | undefined;
  /** Whether the state of the resources is read, too. */
  readonly withState?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Which page of a list. The first has the number 1. */
interface PageNumber {
  readonly page: number;
  readonly perPage: number;
}

/** A page, and whether others are beside it. */
interface Page extends Nodes<Node> {
  readonly pageInfo: Pick<PageInfo, 'hasNextPage' | 'hasPreviousPage'>;
}

/** A page that other ones can be read from. */
interface Connection extends Nodes<Node> {
  readonly pageInfo: PageInfo;
}

/** Resources of one request while pages are skipped: the largest page of the graph. */
const STRIDE = 100;
/** Requests after which a page is searched from the end of the list instead. */
const MAX_STEPS = 20;
/** Lists whose cursors are kept. */
const MAX_LISTS = 30;

/**
 * For each list, the cursor after which a resource with this number comes. A cursor stays valid when resources are
 * added or removed; reading a page sets that of the next page anew.
 */
const known = new Map<string, Map<number, string>>();

/**
 * Reads a page by its number. The graph has cursors instead: those of pages that were shown are kept, and the way to a
 * page from an address is walked in large steps, from the end of the list if that is nearer.
 */
export async function readPage(model: Model, list: ListQuery, { page, perPage }: PageNumber): Promise<Page> {
  const offset = (page - 1) * perPage;
  const cursors = cursorsOf(list);
  const state = list.withState === true ? stateSelectionOf(model, list.kind) : '';
  const nodes = `nodes { ${selectionOf(model, list.kind, false)} ${state} }`;
  const isFar = offset - nearest(cursors, offset) > STRIDE * MAX_STEPS;
  if (isFar) {
    // From the end, the list is read backwards: the page is among its last resources.
    const left = (await readTotal(list)) - offset;
    if (left <= 0) return { nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } };
    const found = await fromEnd(list, left, Math.min(perPage, left), nodes);
    if (found) return found;
  }
  for (let at = nearest(cursors, offset); at < offset;) {
    const step = Math.min(STRIDE, offset - at);
    const { pageInfo } = await read(list, { first: step, after: cursors.get(at) }, '');
    if (pageInfo.endCursor === null) return { nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } };
    at += step;
    cursors.set(at, pageInfo.endCursor);
    if (!pageInfo.hasNextPage) return { nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } };
  }
  const found = await read(list, { first: perPage, after: cursors.get(offset) }, nodes);
  if (found.pageInfo.endCursor !== null) cursors.set(offset + found.nodes.length, found.pageInfo.endCursor);
  return { nodes: found.nodes, pageInfo: { ...found.pageInfo, hasPreviousPage: page > 1 } };
}

/** Reads `size` resources of which `left` are before the end, if it can be reached in few steps. */
async function fromEnd(list: ListQuery, left: number, size: number, nodes: string): Promise<Page | undefined> {
  const skipped = left - size;
  if (skipped > STRIDE * MAX_STEPS) throw new RangeError(texts.kinds.far);
  let before: string | undefined;
  for (let at = 0; at < skipped;) {
    const step = Math.min(STRIDE, skipped - at);
    const { pageInfo } = await read(list, { last: step, before }, '');
    if (pageInfo.startCursor === null) return undefined;
    before = pageInfo.startCursor;
    at += step;
  }
  const found = await read(list, { last: size, before }, nodes);
  return { nodes: found.nodes, pageInfo: { hasNextPage: skipped > 0, hasPreviousPage: true } };
}

/** Counts a list. With many resources it takes longer than a page, so it is asked for separately. */
export async function readTotal({ kind, where, signal }: Omit<ListQuery, 'sort'>): Promise<number> {
  const { list } = await request<{ list: { totalCount: number } }>(
    `query Total($where: ${kind.name}Where) { list: ${kind.collection}(first: 1, where: $where) { totalCount } }`,
    { where },
    { signal },
  );
  return list.totalCount;
}

async function read({ kind, where, sort, signal }: ListQuery, slice: object, nodes: string): Promise<Connection> {
  const { name, collection } = kind;
  const field = sort && orderOf(kind, sort.field);
  const orderBy = field === undefined ? undefined : [{ field, direction: sort?.order === 'DESC' ? 'DESC' : 'ASC' }];
  const { list } = await request<{ list: Connection }>(
    `query Page($first: Int, $last: Int, $after: String, $before: String, $where: ${name}Where, $orderBy: [${name}Order!]) {
      list: ${collection}(first: $first, last: $last, after: $after, before: $before, where: $where, orderBy: $orderBy) {
        ${nodes} pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }`,
    { ...slice, where, orderBy },
    { signal },
  );
  // Pages that are skipped have no nodes.
  if (nodes !== '') for (const node of list.nodes) rememberNode(kind, node);
  return list;
}

/** Remembers what a resource is called, so that errors can name it. */
export function rememberNode({ name, label }: Kind, node: Node): void {
  const called = node[label];
  if (typeof called === 'string') rememberName(name, node.ref, called.replace(/^tel:/, ''));
}

function cursorsOf({ kind, where, sort }: ListQuery): Map<number, string> {
  const key = JSON.stringify([kind.name, where, sort]);
  const cursors = known.get(key) ?? new Map<number, string>();
  known.delete(key);
  known.set(key, cursors);
  const [oldest] = known.keys();
  if (known.size > MAX_LISTS && oldest !== undefined) known.delete(oldest);
  return cursors;
}

function nearest(cursors: ReadonlyMap<number, string>, offset: number): number {
  return Math.max(0, ...[...cursors.keys()].filter((at) => at <= offset));
}
