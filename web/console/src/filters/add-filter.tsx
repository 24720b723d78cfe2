import FilterList from '@mui/icons-material/FilterList';
import { Button, Popover } from '@mui/material';
import { useState } from 'react';

import { type Kind } from '../model/model';
import { onDemand } from '../on-demand';
import { words } from './texts';

const FilterForm = onDemand(() => import('./filter-form').then((file) => file.FilterForm));

/** Adds a condition to a list: a field, how it is compared, and a value. */
export function AddFilter({ kind }: { readonly kind: Kind }) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const close = (): void => setAnchor(undefined);
  return (
    <>
      <Button
        size="small"
        startIcon={<FilterList />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {words.add}
      </Button>
      <Popover
        open={anchor !== undefined}
        {...(anchor && { anchorEl: anchor })}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': words.add } }}
      >
        <FilterForm kind={kind} onClose={close} />
      </Popover>
    </>
  );
}
