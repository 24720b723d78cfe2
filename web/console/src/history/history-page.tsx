import { Box, Button, Link, Typography } from '@mui/material';
import { Link as RouterLink, useSearchParams } from 'react-router-dom';

import type { ResourceProps } from '../feature';
import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { useGraph } from '../graph/request';
import { Page } from '../parts/page';
import { texts } from '../texts';
import { Entries } from './entries';
import { type EntryPage, PAGE } from './entry';
import { CONDITIONS, type Conditions, Filters, utcOf } from './filters';

const HISTORY = `query History($where: HistoryWhere, $after: String) {
  history(first: 30, after: $after, where: $where) { ${PAGE} }
}`;

/** Who changed what, newest first. The conditions and the page are in the address. */
export function HistoryPage() {
  const [search, setSearch] = useSearchParams();
  const conditions: Conditions = Object.fromEntries(
    CONDITIONS.flatMap((name) => (search.get(name) === null ? [] : [[name, search.get(name)]])),
  );
  const after = search.get('after');
  const { data, error } = useGraph<{ history: EntryPage }>('history', HISTORY, { where: whereOf(conditions), after });
  const go = (next: Conditions, cursor?: string | null): void => {
    const given = Object.entries({ ...next, after: cursor ?? undefined });
    setSearch(Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))));
  };
  const { pageInfo } = data?.history ?? {};
  return (
    <Page title={texts.titles.history}>
      <Filters conditions={conditions} onChange={go} />
      <Entries entries={data?.history.nodes} error={error} />
      <div>
        {after !== null && <Button onClick={() => go(conditions)}>{texts.history.newest}</Button>}
        {pageInfo?.hasNextPage === true && (
          <Button onClick={() => go(conditions, pageInfo.endCursor)}>{texts.history.older}</Button>
        )}
      </div>
    </Page>
  );
}

/** The conditions for the graph. A time that is not one does not count. */
function whereOf({ from, to, ...others }: Conditions): object {
  return { ...others, from: utcOf(from), to: utcOf(to) };
}

const RESOURCE_HISTORY = `query ResourceHistory($where: HistoryWhere) { history(first: 5, where: $where) { ${PAGE} } }`;

/** The last changes of a resource, on its page. */
export function ResourceHistory({ kind, resourceRef }: ResourceProps) {
  const where = { kind, ref: resourceRef };
  const { data, error } = useLiveQuery<{ history: EntryPage }>(RESOURCE_HISTORY, { where }, () => [
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
