import { Alert, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

import { contactsOf, REGISTRATIONS, RESOURCES, useLiveQuery } from '../graph/live-query';
import { DataTable, type Column } from '../parts/data-table';
import { GatewayLink, QuestionLink } from '../parts/links';
import { texts } from '../texts';
import { LIST_NUMBERS, type HealthNumber, type NumberPage, type NumberState } from './operations';
import { argumentsOf, type Scope } from './scope';

const SIZE = 50;
// Milliseconds: the states of many numbers are expensive to read.
const PAUSE = 2000;
const WATCHED = [RESOURCES, REGISTRATIONS, contactsOf()];

const COLUMNS: readonly Column<HealthNumber>[] = [
  { label: texts.health.columns.number, cell: ({ telUrl }) => <QuestionLink text={telUrl} /> },
  { label: texts.health.columns.why, cell: ({ summary }) => summary },
  {
    label: texts.health.columns.gateway,
    cell: ({ gateway }) => <GatewayLink of={gateway} />,
    line: ({ gateway }) => gateway?.name ?? '',
  },
  {
    label: texts.health.columns.target,
    cell: ({ aorLink }) => <QuestionLink text={aorLink} />,
    line: ({ aorLink }) => aorLink,
  },
];

interface Props {
  /** Undefined for numbers in any state. */
  readonly state: NumberState | undefined;
  readonly scopes: readonly Scope[];
  /** The parameters of the address besides the page. */
  readonly kept: Readonly<Record<string, string>>;
  /** Whether the list is what the user came for, although it is below other parts: it scrolls into view. */
  readonly isSought?: boolean;
}

/** Below the bar, which stays at the top of the window. */
const HEADING = { scrollMarginTop: '4rem', '&:focus': { outline: 'none' } };

/** The numbers in a state, page by page. A page examines a bounded number of numbers, so it can be empty. */
export function NumberList({ state, scopes, kept, isSought = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isSought) heading.current?.focus();
  }, [isSought]);
  const [parameters, setParameters] = useSearchParams();
  const shown = parameters.get('after') ?? undefined;
  // Where the search is that began at `from`. The address follows at its end: browsers limit how often it may change.
  const [search, setSearch] = useState<{ readonly from: string | undefined; readonly at: string }>();
  const after = search && search.from === shown ? search.at : shown;
  const variables = { ...argumentsOf(scopes), ...(state && { states: [state] }), first: SIZE, after };
  const title = texts.health.numbers(state && texts.health.states[state]);
  const { data, error, isFetching, isPrevious } = useLiveQuery<NumberPage>(LIST_NUMBERS, variables, () => WATCHED, {
    pause: PAUSE,
  });
  const { nodes = [], pageInfo } = data?.numberHealth ?? {};
  const isEmpty = data !== undefined && nodes.length === 0;
  const next = pageInfo?.hasNextPage === true ? pageInfo.endCursor : null;
  const go = (cursor: string | null, replace = false): void =>
    setParameters({ ...kept, ...(cursor !== null && { after: cursor }) }, { replace });
  const choose = (cursor: string | null): void => {
    setSearch(undefined);
    go(cursor);
  };
  // A rare state is searched for until a page has a number.
  const isSearching = isEmpty && next !== null;
  useEffect(() => {
    // A page that is kept from an earlier search may have numbers now.
    if (data === undefined || isPrevious || isFetching) return;
    if (isSearching) setSearch({ from: shown, at: next });
    else if (after !== undefined && after !== shown) go(after, true);
  }, [data, isSearching, isPrevious, isFetching, after, shown, next]);
  return (
    <Stack spacing={1} aria-busy={isPrevious}>
      {/* Focus makes the browser scroll to it, and screen readers go on from there. */}
      <Typography component="h2" variant="h6" ref={heading} tabIndex={-1} sx={HEADING}>
        {title}
      </Typography>
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {(!data || isSearching) && !error && <LinearProgress aria-label={texts.health.searching} />}
      <Typography role="status">{isEmpty && !isSearching ? texts.health.none : ''}</Typography>
      {nodes.length > 0 && (
        <DataTable label={title} columns={COLUMNS} rows={nodes} keyOf={({ kind, ref }) => kind + ref} />
      )}
      <Stack direction="row" spacing={1}>
        <Button disabled={after === undefined} onClick={() => choose(null)}>
          {texts.health.first}
        </Button>
        <Button disabled={next === null} onClick={() => choose(next)}>
          {texts.health.next}
        </Button>
      </Stack>
    </Stack>
  );
}
