import { useQueries } from '@tanstack/react-query';

import { readPage, type Node } from '../data/pages';
import { isWorthRetrying } from '../graph/retries';
import { type Kind, useModel } from '../model/model';
import { usesOf, whereUses, type Use } from '../model/uses';
import { useLiveNames } from './use-live';

/** The most resources of each kind. */
export const SHOWN = 10;

/** What refers to a resource. */
export interface Uses {
  readonly lists: readonly { readonly use: Use; readonly where: object; readonly nodes: readonly Node[] }[];
  readonly isRead: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Reads what refers to a resource: the DIDs of a gateway, the agents of a domain. */
export function useUses(kind: Kind, id: string): Uses {
  const model = useModel();
  const uses = usesOf(model, kind).map((use) => ({ use, where: whereUses(use.path, id) }));
  useLiveNames(uses.map(({ use }) => use.kind));
  const sort = { field: 'id', order: 'ASC' };
  const results = useQueries({
    queries: uses.map(({ use, where }) => ({
      queryKey: [use.kind.collection, 'uses', where],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        readPage(model, { kind: use.kind, where, sort, signal }, { page: 1, perPage: SHOWN }),
      retry: isWorthRetrying,
    })),
  });
  return {
    lists: uses.map((each, index) => ({ ...each, nodes: results[index]?.data?.nodes ?? [] })),
    isRead: results.every(({ isSuccess }) => isSuccess),
    error: results.find(({ isError }) => isError)?.error,
    refetch: () => results.map(({ refetch }) => void refetch()),
  };
}
