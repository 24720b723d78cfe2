import { useQuery } from '@tanstack/react-query';

import { GraphError } from './graph-error';
import type { Variables } from './post';
import { request } from './request';
import { RETRIES } from './retries';

/** What a dry run told before somebody confirms a change. */
interface Tried {
  /** Whether the server would make the change. */
  readonly isPossible: boolean;
  /** Why the server would refuse it. */
  readonly refusal: GraphError | undefined;
}

/** Tries a mutation with `dryRun: true`, again for other variables or another `state` of what it depends on. */
export function useRefusal(dryRun: string, variables: Variables, enabled = true, state: unknown = null): Tried {
  const { error, isSuccess } = useQuery({
    queryKey: [dryRun, variables, state],
    queryFn: async ({ signal }) => request(dryRun, variables, { signal }),
    enabled,
    // Others may change what it depends on before it is tried again.
    gcTime: 0,
    ...RETRIES,
  });
  return { isPossible: isSuccess, refusal: error instanceof GraphError ? error : undefined };
}
