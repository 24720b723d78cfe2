import { InvalidInputError, quote, type Issue } from '../errors';
import type { Meta } from './envelope';

/** Query parameters as received. A repeated parameter is a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The page of a list request. */
export interface PageRequest {
  readonly page: number;
  readonly itemsPerPage: number;
}

const DEFAULT_ITEMS = 30;
const MAX_PAGE = 999_999_999_999_999;

/** Parses `page` and `itemsPerPage`, with defaults for absent and empty parameters. Throws InvalidInputError. */
export function pageRequest(query: Query, maxItemsPerPage: number): PageRequest {
  const issues: Issue[] = [];
  const whole = (name: string, fallback: number, max: number): number => {
    const text = first(query, name);
    if (text === '') return fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= max) return value;
    const message = `${quote(text)} is not a whole number from 1 to ${String(max)}`;
    issues.push({ field: name, path: name, message });
    return fallback;
  };
  const request = {
    page: whole('page', 1, MAX_PAGE),
    itemsPerPage: whole('itemsPerPage', Math.min(DEFAULT_ITEMS, maxItemsPerPage), maxItemsPerPage),
  };
  if (issues.length > 0) throw new InvalidInputError(issues);
  return request;
}

/** The `meta` of a list with a number of items. */
export function metaOf({ page, itemsPerPage }: PageRequest, totalItems: number): Meta {
  return { currentPage: page, totalPages: Math.ceil(totalItems / itemsPerPage), itemsPerPage, totalItems };
}

/** Counts the items and reads a page. A page past the end is empty, and is not read. */
export async function readPage<T>(
  request: PageRequest,
  count: () => Promise<number>,
  read: (page: number, size: number) => Promise<readonly T[]>,
): Promise<{ readonly items: readonly T[]; readonly meta: Meta }> {
  const total = await count();
  const past = (request.page - 1) * request.itemsPerPage >= total;
  return {
    items: past ? [] : await read(request.page, request.itemsPerPage),
    meta: metaOf(request, total),
  };
}

/** The first value of a query parameter; an empty string if it is absent. */
export function first(query: Query, name: string): string {
  const value = query[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/**
 * Returns the filter of a list. Legacy clients do not percent-encode the filter, so the plus sign of a telephone number
 * arrives as a space. Replacing that space by a plus sign is safe, because no number starts with a space (RFC 3966).
 */
export function filterIn(query: Query): string {
  return first(query, 'filter').replace(/\btel: (?=\d)/g, 'tel:+');
}
