import type { Meta } from './envelope';
import type { PageRequest } from './query-parameters';

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
