import FilterList from '@mui/icons-material/FilterList';
import { Button, Dialog, Popover, useMediaQuery } from '@mui/material';
import { useState } from 'react';

import { type Kind } from '../model/model';
import { onDemand } from '../on-demand';
import { words } from './texts';

const FilterForm = onDemand(() => import('./filter-form').then((file) => file.FilterForm));

// Below the button is too little room for the form, as at 400 % zoom (WCAG 1.4.10).
const LOW = '(max-height: 599px)';
const IN_A_LOW_WINDOW = { paper: { 'aria-label': words.add, sx: { m: 1, maxHeight: 'calc(100% - 16px)' } } };

/** Adds a condition to a list: a field, how it is compared, and a value. */
export function AddFilter({ kind }: { readonly kind: Kind }) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const isLow = useMediaQuery(LOW, { noSsr: true });
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
      {isLow ? (
        <Dialog open={anchor !== undefined} onClose={close} slotProps={IN_A_LOW_WINDOW}>
          <FilterForm kind={kind} onClose={close} />
        </Dialog>
      ) : (
        <Popover
          open={anchor !== undefined}
          {...(anchor && { anchorEl: anchor })}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': words.add } }}
        >
          <FilterForm kind={kind} onClose={close} />
        </Popover>
      )}
    </>
  );
}
