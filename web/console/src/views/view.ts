import { useListContext, useStore } from 'react-admin';

import { useGraph } from '../graph/request';

/** A view that the user has saved, as the graph tells it. */
export interface View {
  readonly ref: string;
  readonly list: string;
  readonly name: string;
  readonly content: string;
}

/** What a view contains: the parameters of the list's address, and the choice of columns; undefined for the default. */
export interface Content {
  readonly search: string;
  readonly hidden: readonly string[] | undefined;
  readonly ranks: readonly number[] | undefined;
}

/** The name of the query, for `useRefresh`. */
export const VIEWS = 'views';

/** Reads the views of the user; undefined for API tokens of a lower role, which have no account. */
export function useViews(): readonly View[] {
  const { data } = useGraph<{ views: readonly View[] }>(VIEWS, '{ views { ref list name content } }', {}, STALE);
  return data?.views ?? [];
}

/** Milliseconds. Another machine may have saved some. */
const STALE = { staleTime: 60_000 };

/** The content of a view; undefined if a later version of the console wrote it. */
export function contentOf({ content }: View): Content | undefined {
  try {
    const read = JSON.parse(content) as Partial<Content> | null; // checked below
    if (typeof read?.search !== 'string') return undefined;
    return { search: read.search, hidden: listOf(read.hidden), ranks: listOf(read.ranks) };
  } catch {
    return undefined;
  }
}

function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] | undefined {
  return Array.isArray(value) ? (value as readonly Item[]) : undefined;
}

/** What the list shows now, and a function that changes its columns. */
export function useShown(columnsKey: string): {
  readonly shown: Content;
  readonly setColumns: (content: Content) => void;
} {
  const { sort, perPage, ...list } = useListContext();
  const filterValues: unknown = list.filterValues;
  const displayedFilters: unknown = list.displayedFilters;
  // Where react-admin's table keeps the choice of columns.
  const [hidden, setHidden] = useStore<readonly string[] | undefined>(columnsKey);
  const [ranks, setRanks] = useStore<readonly number[] | undefined>(`${columnsKey}_columnRanks`);
  const search = new URLSearchParams({
    displayedFilters: JSON.stringify(displayedFilters ?? {}),
    filter: JSON.stringify(filterValues),
    order: sort.order,
    page: '1',
    perPage: String(perPage),
    sort: sort.field,
  }).toString();
  const setColumns = (content: Content): void => {
    setHidden(content.hidden);
    setRanks(content.ranks);
  };
  return { shown: { search, hidden, ranks }, setColumns };
}
