import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';

import { isTemporary } from '../graph/graph-error';
import { isWorthRetrying, RETRIES } from '../graph/retries';
import type { Kind } from '../model/model';

/** Milliseconds between attempts to read a page once the user has been told that it fails. */
const PAUSE = 10_000;

/**
 * How a list is read: react-admin opens the first page when a later one fails, so a later one is tried until it succeeds.
 * `failure` is the error meanwhile.
 */
export function usePatience(kind: Kind, onError: (error: Error) => void) {
  const [failure, setFailure] = useState<Error>();
  const [parameters] = useSearchParams();
  const client = useQueryClient();
  const isFirst = Number(parameters.get('page') ?? 1) <= 1;
  const queryOptions = {
    retry: (count: number, error: Error): boolean => {
      // A page that cannot be opened will not be there later either.
      if (isFirst || !isTemporary(error)) return isWorthRetrying(count, error);
      if (!isWorthRetrying(count, error)) setFailure(error);
      return true;
    },
    retryDelay: (count: number, error: Error): number =>
      count < 3 && isTemporary(error) ? RETRIES.retryDelay(count, error) : PAUSE,
    onSuccess: () => setFailure(undefined),
    onError,
  };
  const again = (): void => void client.resetQueries({ queryKey: [kind.collection, 'getList'] });
  return { queryOptions, failure, again };
}
