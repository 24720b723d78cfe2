import FirstPage from '@mui/icons-material/FirstPage';
import LastPage from '@mui/icons-material/LastPage';
import NavigateBefore from '@mui/icons-material/NavigateBefore';
import NavigateNext from '@mui/icons-material/NavigateNext';
import { Alert, Box, Button, IconButton, Stack, Tooltip, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useListContext } from 'react-admin';

import type { ResourceRecord } from '../data/data-provider';
import type { Filter } from '../data/queries';
import { messageOf } from '../graph/graph-error';
import { useMayWrite } from '../graph/session';
import type { Kind } from '../model/model';
import { MenuChoice } from '../parts/choice';
import { CreateLink } from '../parts/links';
import { texts } from '../texts';
import { useTotal } from './use-total';

const SIZES = ['10', '25', '50', '100'].map((size) => [size, size] as const);

/**
 * The pages of a list. The total is counted after the page is shown, unless the page is the last one: a search among a
 * million numbers would read all of them again.
 */
export function Pages({ kind }: { readonly kind: Kind }) {
  const list = useListContext<ResourceRecord>();
  const { data, error, page, perPage, setPage, setPerPage, hasNextPage, hasPreviousPage, isPending, refetch } = list;
  // Meanwhile, the rows are those of the previous page or filter.
  const isRead = list.isPlaceholderData !== true;
  const filter = list.filterValues as Filter; // what the filters enter
  const counted = useTotal(kind, filter, isRead && hasNextPage === true);
  if (isPending) return null;
  if (error)
    return (
      <Alert severity="error" action={<Button onClick={() => void refetch()}>{texts.kinds.again}</Button>}>
        {messageOf(error)}
      </Alert>
    );
  const count = data.length;
  if (count === 0 && page === 1) {
    const isFiltered = Object.keys(filter).length > 0;
    return isFiltered ? <Typography sx={{ p: 2 }}>{texts.kinds.noMatches}</Typography> : <Nothing kind={kind} />;
  }
  const first = (page - 1) * perPage + 1;
  const isLast = isRead && hasNextPage === false && (count > 0 || page === 1);
  const total = isLast ? first - 1 + count : counted;
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  const button = (label: string, icon: ReactElement, to: number | undefined, isPossible: boolean): ReactElement => (
    <Tooltip title={label}>
      <span>
        <IconButton aria-label={label} disabled={!isPossible} onClick={() => to !== undefined && setPage(to)}>
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  );
  return (
    <Stack
      role="group"
      aria-label={texts.kinds.pages}
      direction="row"
      useFlexGap
      spacing={1}
      sx={{ alignItems: 'center', justifyContent: 'flex-end', flexWrap: 'wrap', p: 1 }}
    >
      <MenuChoice
        size="small"
        variant="standard"
        label={texts.kinds.perPage}
        value={String(perPage)}
        onChange={({ target }) => setPerPage(Number(target.value))}
        fullWidth={false}
        sx={{ width: '6.5rem' }}
        options={SIZES}
      />
      <Typography role="status">{texts.kinds.total(count === 0 ? 0 : first, first + count - 1, total)}</Typography>
      {/* In one line on a phone, too. */}
      <Box sx={{ display: 'flex' }}>
        {button(texts.kinds.first, <FirstPage />, 1, page > 1)}
        {button(texts.kinds.previous, <NavigateBefore />, page - 1, hasPreviousPage ?? page > 1)}
        {button(texts.kinds.next, <NavigateNext />, page + 1, hasNextPage ?? false)}
        {button(texts.kinds.last, <LastPage />, last, last !== undefined && page < last)}
      </Box>
    </Stack>
  );
}

/** What the kind is for, and the way to the first resource of it. */
function Nothing({ kind }: { readonly kind: Kind }) {
  const mayWrite = useMayWrite();
  return (
    <Stack spacing={1} sx={{ p: 2, alignItems: 'flex-start', maxWidth: '44rem' }}>
      <Typography>{texts.kinds.empty}</Typography>
      <Typography>{[kind.about, texts.kinds.apart[kind.name] ?? ''].join(' ').trim()}</Typography>
      {mayWrite && <CreateLink kind={kind}>{texts.kinds.create(kind.name)}</CreateLink>}
    </Stack>
  );
}
