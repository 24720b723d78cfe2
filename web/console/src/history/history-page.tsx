import { Box, Button, Chip, Stack, Tab as MuiTab, Tabs } from '@mui/material';
import { useSearchParams } from 'react-router-dom';

import { ExportButton } from '../exports/export-button';
import type { Nodes } from '../graph/lists';
import { useGraph } from '../graph/request';
import { useSession } from '../graph/session';
import { useModel } from '../model/model';
import { ResourceName } from '../parts/links';
import { utcOf } from '../parts/local-time';
import { Page } from '../parts/page';
import { texts } from '../texts';
import { type DonePage, isSecurity, requestsOf } from './done';
import { CONDITIONS, type Conditions, Filters, valuesOf } from './filters';
import { FindResource } from './find-resource';
import { RequestList } from './request-list';
import { words } from './texts';

/** The first users. Others keep their references. */
const USERS = '{ users(first: 100) { nodes { ref username } } }';

interface Users {
  readonly users: Nodes<{ readonly ref: string; readonly username: string }>;
}

/** Who changed what, newest first. The conditions and the page are in the address. */
export function HistoryPage() {
  const model = useModel();
  const isAdmin = useSession()?.role === 'ADMIN';
  const [search, setSearch] = useSearchParams();
  const conditions: Conditions = Object.fromEntries(
    CONDITIONS.flatMap((name) => (search.get(name) === null ? [] : [[name, search.get(name)]])),
  );
  const after = search.get('after');
  const tab = isAdmin ? tabOf(search.get('show'), conditions) : 'changes';
  const kinds = valuesOf(model.schema, 'HistoryKind').filter((name) => isSecurity(name) === (tab === 'security'));
  const visible = isAdmin ? kinds : kinds.filter((name) => model.kinds.some((kind) => kind.name === name));
  const { data, error } = useGraph<{ requests: DonePage }>('history', requestsOf(model), {
    // Others see only these kinds, and must not ask for more.
    where: { ...whereOf(conditions), ...(isAdmin && { kinds }) },
    after,
  });
  const { data: people } = useGraph<Users>('names of users', USERS, {}, { enabled: tab === 'security' });
  const users = people && new Map(people.users.nodes.map(({ ref, username }) => [ref, username]));
  const go = (next: Conditions, cursor?: string | null, show: Tab = tab): void => {
    const given = Object.entries({
      ...(show === 'security' && { show }),
      ...next,
      after: cursor ?? undefined,
    });
    setSearch(Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))));
  };
  const { kind, ref } = conditions;
  const isOfResource = ref !== undefined && model.kinds.some(({ name }) => name === kind);
  const page = data?.requests;
  return (
    <Page
      title={texts.titles.history}
      actions={
        <ExportButton
          what={texts.titles.history}
          of={{ history: { ...whereOf(conditions), ...(isAdmin && { kinds }) } }}
        />
      }
    >
      {isAdmin && (
        <Tabs value={tab} onChange={(_event, show: Tab) => go({}, undefined, show)} aria-label={texts.titles.history}>
          {TABS.map((name) => (
            <MuiTab key={name} value={name} label={words.tabs[name]} id={`tab-${name}`} aria-controls="history-panel" />
          ))}
        </Tabs>
      )}
      <Box
        id="history-panel"
        {...(isAdmin && { role: 'tabpanel', 'aria-labelledby': `tab-${tab}` })}
        sx={{ display: 'grid', gap: 2, minWidth: 0 }}
      >
        <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
          {tab === 'changes' && (
            <FindResource
              onFound={(found) => go({ ...conditions, kind: found.kind.name, ref: found.ref }, undefined, 'changes')}
            />
          )}
          {isOfResource && kind !== undefined && (
            <Chip
              label={words.of(kind, <ResourceName kind={kind} of={ref} />)}
              onDelete={() => go({ ...conditions, kind: undefined, ref: undefined })}
            />
          )}
        </Stack>
        <Filters kinds={visible} conditions={conditions} onChange={go} />
        <RequestList
          // A line that is shown for other conditions is not unfolded.
          key={JSON.stringify([conditions, after, tab])}
          requests={page?.nodes}
          error={error}
          isNarrowed={after !== null || Object.keys(conditions).length > 0}
          users={users}
          isOpen={conditions.request !== undefined}
        />
        <div>
          {after !== null && <Button onClick={() => go(conditions)}>{words.newest}</Button>}
          {page?.hasNextPage === true && <Button onClick={() => go(conditions, page.endCursor)}>{words.older}</Button>}
        </div>
      </Box>
    </Page>
  );
}

const TABS = ['changes', 'security'] as const;
type Tab = (typeof TABS)[number];

/** The tab that is shown: that of the conditions if they belong to one. */
function tabOf(shown: string | null, { kind, event }: Conditions): Tab {
  if (kind !== undefined) return isSecurity(kind) ? 'security' : 'changes';
  return shown === 'security' || /^(SIGN|SESSION)/.test(event ?? '') ? 'security' : 'changes';
}

/** The conditions for the graph. A time that is not one does not count. */
function whereOf({ from, to, ...others }: Conditions): object {
  return { ...others, from: utcOf(from), to: utcOf(to) };
}
