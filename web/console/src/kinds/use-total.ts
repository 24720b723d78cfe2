import { useQuery } from '@tanstack/react-query';

import { readTotal } from '../data/pages';
import { searchedIn, whereOf, type Filter } from '../data/queries';
import { isWorthRetrying } from '../graph/retries';
import { usePartsOf } from '../graph/spelling';
import { type Kind, useModel } from '../model/model';

/** The number of resources that a filter selects, which is counted if it `isNeeded`; undefined until it is. */
export function useTotal(kind: Kind, filter: Filter, isNeeded = true): number | undefined {
  const parts = usePartsOf(searchedIn(filter));
  const where = whereOf(useModel(), kind, filter, parts ?? []);
  return useQuery({
    queryKey: [kind.collection, 'total', where],
    queryFn: async ({ signal }) => readTotal({ kind, where, signal }),
    enabled: isNeeded && parts !== undefined,
    retry: isWorthRetrying,
  }).data;
}
