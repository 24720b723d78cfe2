import { Button, Stack } from '@mui/material';
import { useState } from 'react';

import type { ResourceProps } from '../feature';
import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { useModel } from '../model/model';
import { PageLink } from '../parts/links';
import { type DonePage, requestsOf } from './done';
import { RequestList } from './request-list';
import { words } from './texts';

/** What was done to a resource, on its page: a line for each request. */
export function ResourceHistory({ kind, resourceRef }: ResourceProps) {
  const [after, setAfter] = useState<string | null>(null);
  const where = { kind, ref: resourceRef };
  const { data, error } = useLiveQuery<{ requests: DonePage }>(requestsOf(useModel()), { where, after }, () => [
    resourcesOf([kind], resourceRef),
  ]);
  const page = data?.requests;
  // Others were about another resource, which had the reference before. What happened last to a resource has its reference.
  const own = page?.nodes.filter(({ parts }) =>
    parts.some(({ ref, former }) => ref === resourceRef && former === null),
  );
  return (
    <Stack spacing={2}>
      <RequestList
        key={after}
        requests={own}
        error={error}
        isNarrowed={after !== null}
        users={undefined}
        isOpen={false}
      />
      <Stack direction="row" useFlexGap spacing={1} sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
        {after !== null && <Button onClick={() => setAfter(null)}>{words.newest}</Button>}
        {page?.hasNextPage === true && <Button onClick={() => setAfter(page.endCursor)}>{words.older}</Button>}
        <PageLink to={`/history?${new URLSearchParams(where).toString()}`} variant="body2">
          {words.withConditions}
        </PageLink>
      </Stack>
    </Stack>
  );
}
