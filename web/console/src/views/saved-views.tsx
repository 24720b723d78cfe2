import { Box, Chip } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router-dom';

import type { ListProps } from '../feature';
import { request, useRefresh } from '../graph/request';
import { useKind } from '../model/model';
import { Confirm } from '../parts/dialogs';
import { viewTexts } from './texts';
import { contentOf, useShown, useViews, VIEWS, type Content, type View } from './view';

const DELETE = 'mutation DeleteView($ref: String!) { deleteView(ref: $ref) }';

/** The views that the user has saved of a list, each a link to its address. */
export function SavedViews({ kind, columnsKey }: ListProps) {
  const { collection } = useKind(kind);
  const { shown, setColumns } = useShown(columnsKey);
  const refresh = useRefresh(VIEWS);
  const [deleting, setDeleting] = useState<View>();
  const own = useViews().flatMap((view) => {
    const content = view.list === collection ? contentOf(view) : undefined;
    return content ? [{ view, content }] : [];
  });
  if (own.length === 0) return null;
  return (
    <>
      <Box
        component="ul"
        aria-label={viewTexts.views}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 1, listStyle: 'none' }}
      >
        {own.map(({ view, content }) => {
          const isShown = isSame(content, shown);
          return (
            <Box component="li" key={view.ref} sx={{ minWidth: 0 }}>
              <Chip
                clickable
                component={Link}
                to={`/${collection}?${content.search}`}
                label={view.name}
                size="small"
                color={isShown ? 'primary' : 'default'}
                variant={isShown ? 'filled' : 'outlined'}
                aria-current={isShown ? 'true' : undefined}
                onClick={() => setColumns(content)}
                sx={{ maxWidth: '20rem' }}
              />
              <Box
                component="button"
                type="button"
                aria-label={viewTexts.deleteOf(view.name)}
                onClick={() => setDeleting(view)}
                sx={DELETE_STYLE}
              >
                <span aria-hidden>{CROSS}</span>
              </Box>
            </Box>
          );
        })}
      </Box>
      {deleting && (
        <Confirm
          title={viewTexts.deleteTitle(deleting.name)}
          about={viewTexts.deleteAbout}
          submit={viewTexts.delete}
          onConfirm={async () => {
            await request(DELETE, { ref: deleting.ref });
            await refresh();
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

const CROSS = '×';
/** Beside the chip: a button in a link could not be reached with the keyboard. */
const DELETE_STYLE = {
  ...{ minWidth: 24, minHeight: 24, p: 0, border: 0, borderRadius: 1, bgcolor: 'transparent', font: 'inherit' },
  ...{ color: 'text.secondary', cursor: 'pointer', '&:hover': { bgcolor: 'action.hover' } },
} as const;

/** Whether the list shows what the view contains, on whichever page. */
function isSame(one: Content, other: Content): boolean {
  const keyOf = ({ search, hidden, ranks }: Content): string => {
    const parameters = new URLSearchParams(search);
    // Shown inputs without a value do not matter.
    const own = ['filter', 'order', 'sort', 'perPage'].map((name) => parameters.get(name));
    return JSON.stringify([own, [...(hidden ?? [])].sort(), ranks ?? []]);
  };
  return keyOf(one) === keyOf(other);
}
