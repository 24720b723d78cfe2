import { Box, Paper, Typography } from '@mui/material';
import { EditButton, Show, TopToolbar, useRecordContext, useResourceContext, useShowContext } from 'react-admin';

import { features } from '../features';
import { isWorthRetrying } from '../graph/retries';
import { useMayWrite } from '../graph/session';
import { type Kind, useKind } from '../model/model';
import { onDemand } from '../on-demand';
import { texts } from '../texts';
import { DeleteButton } from './delete-button';
import { isMissing, ReadError } from './read-error';
import { useLiveResource } from './use-live';
import { UseLists, useUses } from './uses';
import { Label, Value } from './value';

const panels = features
  .flatMap((feature) => feature.panels ?? [])
  .map((panel) => ({ ...panel, Panel: onDemand(panel.load) }));

/** The page of a resource: its fields, live state, what features add, and what refers to it. */
export function KindPage() {
  const kind = useKind(useResourceContext() ?? '');
  return (
    <Show
      actions={<Actions kind={kind} />}
      component={Box}
      // The error is shown below the actions.
      queryOptions={{ retry: isWorthRetrying, onError: () => undefined }}
      title={<PageTitle kind={kind} />}
    >
      <Details kind={kind} />
    </Show>
  );
}

function Actions({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  const { error, refetch } = useShowContext();
  return (
    <>
      {mayWrite && !isMissing(error) && (
        <TopToolbar>
          <EditButton />
          <DeleteButton kind={kind} />
        </TopToolbar>
      )}
      <ReadError kind={kind} error={error} refetch={refetch} />
    </>
  );
}

function PageTitle({ kind }: { readonly kind: Kind }) {
  const record = useRecordContext();
  const { heading, kindTitle } = texts.kinds;
  if (!record) return <span>{heading(kind.name)}</span>;
  return <span>{kindTitle(kind.name, <Label field={kind.label} value={String(record[kind.label])} />)}</span>;
}

function Details({ kind }: { readonly kind: Kind }) {
  const record = useRecordContext<Readonly<Record<string, unknown>> & { readonly id: string }>();
  useLiveResource(kind, record?.id ?? '');
  const { error } = useShowContext();
  // It was deleted while its page was open.
  if (!record || isMissing(error)) return null;
  const shown = panels.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Paper sx={{ p: 2 }}>
        <Box
          component="dl"
          sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '14rem 1fr' }, columnGap: 2, rowGap: 1, m: 0 }}
        >
          {kind.fields.map((field) => (
            <Box key={field.name} sx={{ display: 'contents' }}>
              <Typography component="dt" color="text.secondary" title={field.about}>
                {texts.kinds.heading(field.name)}
              </Typography>
              <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
                <Value field={field} value={record[field.name]} />
              </Box>
            </Box>
          ))}
        </Box>
      </Paper>
      {shown.map(({ Panel }, index) => (
        <Panel key={index} kind={kind.name} resourceRef={record.id} />
      ))}
      <References kind={kind} id={record.id} />
    </Box>
  );
}

function References({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  return <UseLists {...useUses(kind, id)} />;
}
