import { Alert, Box, Button, type Theme, useMediaQuery } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { Children, isValidElement, memo, type ReactElement, type ReactNode, useMemo, useState } from 'react';
import {
  BulkActionsToolbar,
  ColumnsButton,
  DataTable,
  DataTableBody,
  List,
  TextInput,
  TopToolbar,
  useDataTableStoreContext,
  useListContext,
  useNotify,
  useResourceContext,
  useStore,
} from 'react-admin';

import type { ResourceRecord } from '../data/data-provider';
import { features } from '../features';
import { AddFilter } from '../filters/add-filter';
import { FilterChips } from '../filters/filter-chips';
import { isTemporary } from '../graph/graph-error';
import { isWorthRetrying, mayPass, RETRIES } from '../graph/retries';
import { useMayWrite } from '../graph/session';
import type { Field } from '../model/fields';
import { type Kind, type Model, orderOf, useKind, useModel } from '../model/model';
import { onDemand, prepare } from '../on-demand';
import { CreateLink, ResourceLink } from '../parts/links';
import { Status } from '../parts/status';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { Pages } from './pages';
import { hasState, stateOf } from './state';
import { hostOf, useMissingDomains } from './use-domains';
import { useLiveList } from './use-live';
import { kindOfRef, plainText, RecordLabel, Value } from './value';

const bulkActions = features
  .flatMap((feature) => feature.bulkActions ?? [])
  .map((part) => ({ ...part, Part: onDemand(part.load) }));

const listHeads = features
  .flatMap((feature) => feature.listHeads ?? [])
  .map((part) => ({ ...part, Part: onDemand(part.load) }));

const listActions = features
  .flatMap((feature) => feature.listActions ?? [])
  .map((part) => ({ ...part, Part: onDemand(part.load) }));

/** Loads the parts that features add to lists, so that a list is shown as a whole. */
export async function prepareParts(): Promise<void> {
  await Promise.all([...bulkActions, ...listHeads, ...listActions].map(async ({ load }) => prepare(load)));
}

/** Columns that are shown besides the state, unless the user chooses others. */
const COLUMNS = 5;
const COLUMNS_OF_PHONE = 1;
/** The search. Other conditions are those of filters/. */
const FILTERS = [
  <TextInput
    key="q"
    source="q"
    type="search"
    label={texts.kinds.search}
    helperText={false}
    resettable
    alwaysOn
    // So that the toolbar of each kind is beside it on a small laptop.
    sx={{ width: { xs: '100%', sm: '12rem' } }}
    slotProps={{ htmlInput: { 'data-search': true } }}
  />,
];

/** The list of a kind: search, filters, order, columns and pages, all in the address. */
export const KindList = memo(function KindList() {
  const kind = useKind(useResourceContext() ?? '');
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
      filters={FILTERS}
      pagination={<Pages kind={kind} />}
      perPage={25}
      queryOptions={queryOptions}
      sort={{ field: 'id', order: 'ASC' }}
      // The address has them. Kept in the browser, they and the selected rows would be those of all tabs.
      storeKey={false}
      sx={LIST_STYLE}
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
});

function Rows({ kind }: { readonly kind: Kind }) {
  const model = useModel();
  const mayWrite = useMayWrite();
  const isPhone = useIsPhone();
  const { isPending, data } = useListContext<ResourceRecord>();
  const missing = useMissingDomains(kind, data);
  useLiveList(kind, !isPending);
  const withState = hasState(kind);
  const most = isPhone ? COLUMNS_OF_PHONE + (withState ? 0 : 1) : COLUMNS;
  const { columns, hidden } = useMemo(() => columnsOf(kind, most), [kind, most]);
  // The same elements each time, so that what is read again renders only those rows that differ.
  const children = useMemo(() => {
    const shown = columns.map((column) => columnElement(model, kind, column));
    return withState ? shown.toSpliced(1, 0, stateColumn(kind, missing)) : shown;
  }, [columns, model, kind, withState, missing]);
  const actions = bulkActions.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  const key = columnsKey(kind, isPhone);
  const bulk = actions.map(({ Part }, index) => <Part key={index} kind={kind.name} columnsKey={key} />);
  const hasBulk = mayWrite && bulk.length > 0;
  return (
    <>
      <FilterChips kind={kind} />
      {listHeads
        .filter(({ kinds }) => kinds?.includes(kind.name) ?? true)
        .map(({ Part }, index) => (
          <Part key={index} kind={kind.name} columnsKey={key} />
        ))}
      {/* Beside the table, which is not shown without rows: the result of deleting all of them is. Without the button for
      all rows: filtered-actions.tsx changes these, however many there are. */}
      {hasBulk && <BulkActionsToolbar selectAllButton={false}>{bulk}</BulkActionsToolbar>}
      {isPending ? (
        <Loading />
      ) : (
        <DataTable
          key={isPhone ? 'phone' : 'wide'}
          bulkActionButtons={hasBulk}
          bulkActionsToolbar={false}
          body={ShownColumns}
          // pages.tsx says it.
          empty={false}
          hiddenColumns={hidden}
          rowClick="show"
          storeKey={key}
        >
          {children}
        </DataTable>
      )}
    </>
  );
}

/** The rows, without the columns that are hidden: each row would render them as nothing. */
function ShownColumns({ children }: { readonly children?: ReactNode }) {
  const { storeKey, defaultHiddenColumns } = useDataTableStoreContext();
  const [hidden] = useStore<readonly string[]>(storeKey, defaultHiddenColumns);
  const shown = useMemo(
    () => Children.toArray(children).filter((child) => !hidden.includes(sourceOf(child))),
    [children, hidden],
  );
  return <DataTableBody>{shown}</DataTableBody>;
}

function sourceOf(column: ReactNode): string {
  return isValidElement<{ readonly source: string }>(column) ? column.props.source : '';
}

function columnElement(model: Model, kind: Kind, { source, field, get }: Column): ReactElement {
  return (
    <DataTable.Col
      key={source}
      source={source}
      label={texts.kinds.heading(kindOfRef(model, field.name)?.name ?? field.name)}
      disableSort={orderOf(kind, source) === undefined}
      render={(record) => <Cell kind={kind} field={field} record={record} value={get(record)} />}
    />
  );
}

/** What resources of a kind are doing now. */
function stateColumn(kind: Kind, missing: Missing): ReactElement {
  return (
    <DataTable.Col
      key={STATE}
      source={STATE}
      label={texts.kinds.state}
      disableSort
      render={(record) => <StateCell kind={kind} record={record} missing={missing} />}
    />
  );
}

/** No field has this name. */
const STATE = 'its-state';

/** The hosts that are no domains; undefined until they are read. */
type Missing = ReturnType<typeof useMissingDomains>;

function StateCell({ kind, record, missing }: Pick<CellProps, 'kind' | 'record'> & { readonly missing: Missing }) {
  if (!missing && hostOf(record) !== undefined) return texts.parts.unread;
  const state = stateOf(kind, record, missing);
  if (!state) return texts.parts.noValue;
  const { progress, text, since, cause, roundTrip } = state;
  // Since when comes first: of a long response, the pointer shows the rest.
  const more = [
    since !== null && texts.kinds.since(<Time isBrief isRough value={since} />),
    cause ?? (roundTrip !== null && texts.kinds.roundTrip(roundTrip)),
  ];
  return (
    <div className={`${CELL} ${CELL_OF_STATE}`} title={texts.kinds.because(text, cause)}>
      <Status progress={progress}>
        {text}
        <span className={MORE}>{texts.parts.list(...more)}</span>
      </Status>
    </div>
  );
}

/** Where the rows will be: a picture of twelve. They usually come before it is seen. */
function Loading() {
  return <Box aria-hidden sx={LOADING_STYLE} />;
}

const LOADING_STYLE = {
  ...{ height: 12 * 36, m: 1.5, color: 'action.hover' },
  backgroundImage: 'linear-gradient(transparent 12px, currentColor 12px, currentColor 24px, transparent 24px)',
  backgroundSize: '100% 36px',
  animation: 'appear 120ms 200ms backwards',
  '@keyframes appear': { from: { opacity: 0 } },
};

/** The class of what is in a cell: one line, with the rest in its title. */
const CELL = 'cell';
const CELL_OF_STATE = 'cell-of-state';
/** The class of what a state is about. */
const MORE = 'more';

const LIST_STYLE = {
  // A wide table scrolls by itself.
  '& .RaList-main': { minWidth: 0 },
  '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
  '& tbody tr': { height: 36 },
  // The row is not higher than its texts because of its checkbox.
  '& .MuiCheckbox-root': { p: 0.5 },
  [`& .${CELL}`]: {
    ...{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    // With the usual columns, a list fits into a window of 1280 pixels.
    maxWidth: { xs: '8.5rem', sm: '12rem', xl: '14rem' },
  },
  // On the narrowest phone, a number and its state still fit.
  [`& .${CELL_OF_STATE}`]: { maxWidth: { xs: 'min(8.5rem, 100vw - 15.5rem)', sm: '14rem', xl: '18rem' } },
  // Beside its state, a phone has room for nothing else.
  [`& .${MORE}`]: { display: { xs: 'none', sm: 'inline' }, color: 'text.secondary', ml: 1 },
  '&& .RaBulkActionsToolbar-toolbar': { bgcolor: 'action.selected', border: 1, borderColor: 'divider' },
  // Neither Tab nor a screen reader gets to buttons that nobody sees.
  '&& .RaBulkActionsToolbar-collapsed': { visibility: 'hidden', border: 0 },
};

interface Column {
  readonly source: string;
  readonly field: Field;
  readonly get: (record: Readonly<Record<string, unknown>>) => unknown;
}

/** The columns of a kind, and those that are hidden unless the user chooses others: all but the `most` usual ones. */
function columnsOf(kind: Kind, most: number): { readonly columns: readonly Column[]; readonly hidden: string[] } {
  const columns = kind.fields.filter(({ sort }) => sort !== 'live').flatMap(columnsOfField);
  const usual = columns.toSorted((one, other) => rarityOf(kind, one) - rarityOf(kind, other));
  return { columns, hidden: usual.slice(most).map(({ source }) => source) };
}

/** The columns of a field: a group has one for each of its fields. */
function columnsOfField(field: Field): readonly Column[] {
  if (field.sort !== 'group' || field.isList)
    return [{ source: field.name, field, get: (record) => record[field.name] }];
  return field.fields.map((inner) => ({
    source: `${field.name}.${inner.name}`,
    field: inner,
    get: (record) => (record[field.name] as Record<string, unknown> | null | undefined)?.[inner.name], // a group
  }));
}

/** How few resources have a value of their own in a column: 0 if all or most of them have, 2 if nearly none has. */
function rarityOf(kind: Kind, { source, field: { name, sort, isList } }: Column): number {
  // The name of a range has its last number.
  if (sort === 'boolean' || (isList && sort !== 'link') || name === 'lastTelUrl') return 2;
  const isRequired = kind.create.some((input) => input.name === source && input.isRequired);
  return isRequired || sort === 'link' ? 0 : 1;
}

interface CellProps {
  readonly kind: Kind;
  readonly field: Field;
  readonly record: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

/** The field that names the resource is a link to its page, so that the keyboard reaches it. */
function Cell({ kind, field, record, value }: CellProps) {
  const model = useModel();
  const isName = field.name === kind.label && kind.label !== 'ref';
  return (
    <div className={CELL} title={kindOfRef(model, field.name) ? undefined : plainText(model, value)}>
      {isName ? (
        <ResourceLink kind={kind.name} of={String(record['ref'])}>
          <RecordLabel kind={kind} record={record} />
        </ResourceLink>
      ) : (
        <Value field={field} value={value} />
      )}
    </div>
  );
}

/** What can be done with a list: filter it, choose its columns, add to it, and what features add. */
function ListToolbar({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  const isPhone = useIsPhone();
  const shown = listActions.filter(({ kinds }) => kinds?.includes(kind.name) ?? true);
  const key = columnsKey(kind, isPhone);
  return (
    <TopToolbar>
      <AddFilter kind={kind} />
      <ColumnsButton storeKey={key} />
      {shown.map(({ Part }, index) => (
        <Part key={index} kind={kind.name} columnsKey={key} />
      ))}
      {mayWrite && <CreateLink kind={kind}>{texts.kinds.newOne}</CreateLink>}
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

/** Not by a hook, which would render the list again with each step in which it is opened. */
function isOnFirstPage(): boolean {
  return Number(new URLSearchParams(location.search).get('page') ?? 1) <= 1;
}

/** Milliseconds between attempts to read a page once the user has been told that it fails. */
const PAUSE = 10_000;
/** The longest time that a timer has, in milliseconds: 24 days. */
const FOREVER = 2 ** 31 - 1;

/**
 * How a list is read: react-admin opens the first page when a later one fails, so a later one is tried until it succeeds.
 * One that timed out is not tried again before the user asks for it. `failure` is the error meanwhile.
 */
function usePatience(kind: Kind, onError: (error: Error) => void) {
  const [failure, setFailure] = useState<Error>();
  const client = useQueryClient();
  const queryOptions = {
    retry: (count: number, error: Error): boolean => {
      // A page that cannot be opened will not be there later either.
      if (isOnFirstPage() || !isTemporary(error)) return isWorthRetrying(count, error);
      if (!isWorthRetrying(count, error)) setFailure(error);
      return true;
    },
    retryDelay: (count: number, error: Error): number => {
      if (!mayPass(error)) return FOREVER;
      return count < 3 ? RETRIES.retryDelay(count, error) : PAUSE;
    },
    onSuccess: () => setFailure(undefined),
    onError,
  };
  const again = (): void => void client.resetQueries({ queryKey: [kind.collection, 'getList'] });
  return { queryOptions, failure, again };
}
