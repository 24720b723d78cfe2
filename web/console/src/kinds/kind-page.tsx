import { Box, Paper, Stack, Tab, Tabs, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { EditButton, Show, useRecordContext, useResourceContext, useShowContext } from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import type { ResourceRecord } from '../data/data-provider';
import { isUnset } from '../data/forms';
import type { ResourceTab } from '../feature';
import { features } from '../features';
import { isWorthRetrying } from '../graph/retries';
import { useMayWrite } from '../graph/session';
import { isTrueByDefault } from '../model/fields';
import { type Kind, useKind } from '../model/model';
import { onDemand } from '../on-demand';
import { CopyButton } from '../parts/dialogs';
import { ExplainButton } from '../parts/links';
import { texts } from '../texts';
import { DeleteButton } from './delete-button';
import { Raw } from './raw';
import { isMissing, ReadError } from '../parts/read-error';
import { ResourceState } from './resource-state';
import { useLiveResource } from './use-live';
import { UseLists, useUses } from './uses';
import { RecordLabel, Value } from './value';

const panels = features
  .flatMap((feature) => feature.panels ?? [])
  .map((panel) => ({ ...panel, Panel: onDemand(panel.load) }));

const actions = features
  .flatMap((feature) => feature.resourceActions ?? [])
  .map((action) => ({ ...action, Action: onDemand(action.load) }));

/** The page of a resource: its state and what can be done with it, and tabs with its fields, what features add, and what refers to it. */
export function KindPage() {
  const kind = useKind(useResourceContext() ?? '');
  return (
    <Show
      actions={<Header kind={kind} />}
      component={Box}
      // The error is shown below the header.
      queryOptions={{ retry: isWorthRetrying, onError: () => undefined }}
      // The page is not as wide as all tabs.
      sx={{ '& .RaShow-main > *': { minWidth: 0 } }}
      title={<PageTitle kind={kind} />}
    >
      <Details kind={kind} />
    </Show>
  );
}

/** The state of the resource with its cause, and what can be done with it. */
function Header({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  const { error, record, refetch } = useShowContext<ResourceRecord>();
  const question = record && questionFor(record);
  const shown = actions.filter(
    ({ kinds, isForAll = false }) => (mayWrite || isForAll) && (kinds?.includes(kind.name) ?? true),
  );
  return (
    <>
      {record && !isMissing(error) && (
        <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center', py: 1 }}>
          <ResourceState kind={kind} record={record} />
          <Box sx={{ flex: 1 }} />
          {/* Programs use it. People have the name. */}
          <CopyButton value={record.ref} text={texts.parts.copyReference} />
          {question !== undefined && <ExplainButton question={question} />}
          {shown.map(({ Action }, index) => (
            <Action key={index} kind={kind.name} resourceRef={record.ref} />
          ))}
          {mayWrite && <EditButton variant="outlined" />}
          {mayWrite && <DeleteButton kind={kind} />}
        </Stack>
      )}
      <ReadError kind={kind} error={error} refetch={refetch} />
    </>
  );
}

/** What the first page explains about a resource: its number, or its address of record in its first domain. */
function questionFor({ telUrl, username, domains }: ResourceRecord): string | undefined {
  if (typeof telUrl === 'string') return telUrl;
  const [first] = Array.isArray(domains) ? (domains as readonly { readonly domainUri?: string }[]) : []; // links
  return first?.domainUri !== undefined && typeof username === 'string' ? `${username}@${first.domainUri}` : undefined;
}

function PageTitle({ kind }: { readonly kind: Kind }) {
  const record = useRecordContext();
  const name = texts.kinds.heading(kind.name);
  if (!record) return <span>{name}</span>;
  const small = (
    <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
      {name}
    </Box>
  );
  return <span>{texts.kinds.kindTitle(small, <RecordLabel kind={kind} record={record} />)}</span>;
}

/** The tabs of the page. The address has the one that is shown. */
function Details({ kind }: { readonly kind: Kind }) {
  const record = useRecordContext<ResourceRecord>();
  useLiveResource(kind, record?.id ?? '');
  const { error } = useShowContext();
  const [parameters, setParameters] = useSearchParams();
  // It was deleted while its page was open.
  if (!record || isMissing(error)) return null;
  const own = panels.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  const tabs = TABS.filter((tab) => OWN.includes(tab) || own.some((panel) => panel.tab === tab));
  const shown = tabs.find((tab) => tab === parameters.get(TAB)) ?? 'overview';
  const inTab = own.filter(({ tab = 'overview' }) => tab === shown);
  const parts = inTab.map(({ Panel }, index) => <Panel key={index} kind={kind.name} resourceRef={record.id} />);
  return (
    <>
      <Tabs
        value={shown}
        onChange={(_event, tab: ResourceTab) => setParameters(tab === 'overview' ? {} : { [TAB]: tab })}
        aria-label={texts.kinds.tabsOf(kind.name)}
        variant="scrollable"
        scrollButtons={false}
        sx={{ mb: 2, '& .MuiTab-root': { minWidth: 0 } }}
      >
        {tabs.map((tab) => (
          <Tab key={tab} value={tab} label={texts.kinds.tabs[tab]} id={`tab-${tab}`} aria-controls={PANEL} />
        ))}
      </Tabs>
      <Box id={PANEL} role="tabpanel" aria-labelledby={`tab-${shown}`} sx={{ minWidth: 0 }}>
        {shown === 'raw' && <Raw kind={kind} record={record} />}
        {shown === 'overview' ? (
          <Box
            sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', lg: 'minmax(0, 3fr) minmax(0, 2fr)' } }}
          >
            <Column>
              <Paper sx={{ p: 2 }}>
                <Fields kind={kind} record={record} />
              </Paper>
              <References kind={kind} id={record.id} />
            </Column>
            <Column>{parts}</Column>
          </Box>
        ) : (
          parts
        )}
      </Box>
    </>
  );
}

const TABS = Object.keys(texts.kinds.tabs) as readonly ResourceTab[]; // the keys of the texts
/** The tabs with parts that are not those of features. */
const OWN: readonly ResourceTab[] = ['overview', 'raw'];
/** The parameter of the address. */
const TAB = 'tab';
const PANEL = 'resource-tab';

/** Sections below each other. */
function Column({ children }: { readonly children: ReactNode }) {
  return <Box sx={{ display: 'grid', gap: 3, alignContent: 'start', minWidth: 0 }}>{children}</Box>;
}

/** The fields of the resource, without the reference, which is in the header. Those without a value are only named. */
function Fields({ kind, record }: { readonly kind: Kind; readonly record: ResourceRecord }) {
  const fields = kind.fields.filter(({ name }) => name !== 'ref');
  // Among what is not set, what is true by default would read as the opposite.
  const unset = fields.filter(
    (field) => field.sort !== 'live' && isUnset(record[field.name]) && !isTrueByDefault(field),
  );
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '11rem minmax(0, 1fr)' },
        columnGap: 2,
        rowGap: { xs: 0, sm: 1 },
        m: 0,
      }}
    >
      {fields
        .filter((field) => !unset.includes(field))
        .map((field) => (
          <Entry key={field.name} name={texts.kinds.heading(field.name)} about={field.about}>
            {isUnset(record[field.name]) && isTrueByDefault(field) ? (
              texts.kinds.yesByDefault
            ) : (
              <Value field={field} value={record[field.name]} />
            )}
          </Entry>
        ))}
      {unset.length > 0 && (
        <Entry name={texts.kinds.unset}>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {unset.map(({ name }) => texts.kinds.heading(name)).join(texts.parts.comma)}
          </Box>
        </Entry>
      )}
    </Box>
  );
}

interface EntryProps {
  readonly name: string;
  readonly about?: string;
  readonly children: ReactNode;
}

function Entry({ name, about, children }: EntryProps) {
  return (
    <Box sx={{ display: 'contents' }}>
      <Typography component="dt" sx={{ color: 'text.secondary' }} title={about}>
        {name}
      </Typography>
      <Box component="dd" sx={{ m: 0, mb: { xs: 1, sm: 0 }, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </Box>
  );
}

function References({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  return <UseLists {...useUses(kind, id)} />;
}
