import { Alert, Button, type Theme, useMediaQuery } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  BulkActionsToolbar,
  ColumnsButton,
  CreateButton,
  DataTable,
  FilterButton,
  List,
  TopToolbar,
  useNotify,
  useResourceContext,
} from 'react-admin';
import { useSearchParams } from 'react-router-dom';

import { features } from '../features';
import { isTemporary } from '../graph/graph-error';
import { isWorthRetrying, RETRIES } from '../graph/retries';
import { useMayWrite } from '../graph/session';
import type { Field } from '../model/fields';
import { type Kind, orderOf, useKind, useModel } from '../model/model';
import { onDemand } from '../on-demand';
import { texts } from '../texts';
import { filtersOf } from './filters';
import { Pages } from './pages';
import { useLiveList } from './use-live';
import { Value } from './value';

const bulkActions = features
  .flatMap((feature) => feature.bulkActions ?? [])
  .map((part) => ({ ...part, Part: onDemand(part.load) }));

/** Columns that are shown, unless the user chooses others. */
const COLUMNS = 6;
const COLUMNS_OF_PHONE = 2;

/** The list of a kind: search, filters, order, columns and pages, all in the address. */
export function KindList() {
  const kind = useKind(useResourceContext() ?? '');
  const filters = filtersOf(useModel(), kind);
  const notify = useNotify();
  const report = (error: Error): void => {
    // react-admin opens the first page instead. Other errors are shown by pages.tsx.
    if (error instanceof RangeError) notify(error.message, { type: 'warning' });
  };
  const { queryOptions, failure, again } = usePatience(kind, report);
  return (
    <List
      actions={<ListToolbar kind={kind} />}
      empty={false}
      exporter={false}
      filters={[...filters]}
      pagination={<Pages kind={kind} />}
      perPage={25}
      queryOptions={queryOptions}
      sort={{ field: 'id', order: 'ASC' }}
      // The address has them. Kept in the browser, they and the selected rows would be those of all tabs.
      storeKey={false}
      title={texts.kinds.heading(kind.collection)}
    >
      {failure && (
        <Alert severity="error" action={<Button onClick={again}>{texts.kinds.again}</Button>}>
          {failure.message}
        </Alert>
      )}
      <Rows kind={kind} />
    </List>
  );
}

function Rows({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  const isPhone = useIsPhone();
  useLiveList(kind);
  const columns = kind.fields.filter(({ sort }) => sort !== 'live').flatMap(columnsOf);
  const hidden = columns.slice(isPhone ? COLUMNS_OF_PHONE : COLUMNS).map(({ source }) => source);
  const actions = bulkActions.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  const bulk = actions.map(({ Part }, index) => <Part key={index} kind={kind.name} />);
  const hasBulk = mayWrite && bulk.length > 0;
  return (
    <>
      {/* Beside the table, which is not shown without rows: the result of deleting all of them is. Without the button for
      all rows: filtered-actions.tsx changes these, however many there are. */}
      {hasBulk && <BulkActionsToolbar selectAllButton={false}>{bulk}</BulkActionsToolbar>}
      <DataTable
        key={isPhone ? 'phone' : 'wide'}
        bulkActionButtons={hasBulk}
        bulkActionsToolbar={false}
        // pages.tsx says it.
        empty={false}
        hiddenColumns={hidden}
        rowClick="show"
        storeKey={columnsKey(kind, isPhone)}
        sx={{
          '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
          '& td': { maxWidth: '22rem', overflowWrap: 'anywhere' },
        }}
      >
        {columns.map(({ source, field, get }) => (
          <DataTable.Col
            key={source}
            source={source}
            label={texts.kinds.heading(field.name)}
            disableSort={orderOf(kind, source) === undefined}
            render={(record) => <Cell kind={kind} field={field} record={record} value={get(record)} />}
          />
        ))}
      </DataTable>
    </>
  );
}

interface Column {
  readonly source: string;
  readonly field: Field;
  readonly get: (record: Readonly<Record<string, unknown>>) => unknown;
}

/** The columns of a field: a group has one for each of its fields. */
function columnsOf(field: Field): readonly Column[] {
  if (field.sort !== 'group') return [{ source: field.name, field, get: (record) => record[field.name] }];
  return field.fields.map((inner) => ({
    source: `${field.name}.${inner.name}`,
    field: inner,
    get: (record) => (record[field.name] as Record<string, unknown> | null | undefined)?.[inner.name], // a group
  }));
}

interface CellProps {
  readonly kind: Kind;
  readonly field: Field;
  readonly record: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

/** The field that names the resource is a link to its page, so that the keyboard reaches it. */
function Cell({ kind, field, record, value }: CellProps) {
  if (field.name !== kind.label || kind.label === 'ref') return <Value field={field} value={value} />;
  const link = { __typename: kind.name, ref: record['ref'], [kind.label]: value };
  return <Value field={{ ...field, sort: 'link' }} value={link} />;
}

const listActions = features
  .flatMap((feature) => feature.listActions ?? [])
  .map((part) => ({ ...part, Part: onDemand(part.load) }));

/** What can be done with a list: filter it, choose its columns, add to it, and what features add. */
function ListToolbar({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  const isPhone = useIsPhone();
  const shown = listActions.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  return (
    <TopToolbar sx={{ flexWrap: 'wrap' }}>
      <FilterButton />
      <ColumnsButton storeKey={columnsKey(kind, isPhone)} />
      {shown.map(({ Part }, index) => (
        <Part key={index} kind={kind.name} />
      ))}
      {mayWrite && <CreateButton />}
    </TopToolbar>
  );
}

/** Whether the screen has the width of a phone. */
function useIsPhone(): boolean {
  return useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'), { noSsr: true });
}

/** The key under which the choice of columns is kept; a phone has its own. */
function columnsKey({ collection }: Kind, isPhone: boolean): string {
  return `${collection}.${isPhone ? 'phone' : 'wide'}`;
}

/** Milliseconds between attempts to read a page once the user has been told that it fails. */
const PAUSE = 10_000;

/**
 * How a list is read: react-admin opens the first page when a later one fails, so a later one is tried until it succeeds.
 * `failure` is the error meanwhile.
 */
function usePatience(kind: Kind, onError: (error: Error) => void) {
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
