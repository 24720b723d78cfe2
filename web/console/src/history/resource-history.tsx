import { Box, Link, Typography } from '@mui/material';
import { Link as RouterLink } from 'react-router-dom';

import type { ResourceProps } from '../feature';
import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { texts } from '../texts';
import { Entries } from './entries';
import { PAGE, type EntryPage } from './entry';

const HISTORY = `query ResourceHistory($where: HistoryWhere) { history(first: 5, where: $where) { ${PAGE} } }`;

/** The last changes of a resource, on its page. */
export function ResourceHistory({ kind, resourceRef }: ResourceProps) {
  const where = { kind, ref: resourceRef };
  const { data, error } = useLiveQuery<{ history: EntryPage }>(HISTORY, { where }, () => [
    resourcesOf([kind], resourceRef),
  ]);
  return (
    <Box component="section" aria-label={texts.titles.history}>
      <Typography component="h2" variant="h6" gutterBottom>
        {texts.titles.history}
      </Typography>
      <Entries entries={data?.history.nodes} error={error} />
      {data?.history.pageInfo.hasNextPage === true && (
        <Link component={RouterLink} to={`/history?${new URLSearchParams(where).toString()}`}>
          {texts.history.older}
        </Link>
      )}
    </Box>
  );
}
