import { Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';

import { texts } from '../texts';
import type { Sample } from './many';

/** The first resources that are changed, and their fields before and after. */
export function Samples({ sample }: { readonly sample: readonly Sample[] }) {
  if (sample.length === 0) return null;
  return (
    // Focusable, so that the keyboard scrolls it.
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={texts.bulk.sample}
      sx={{ maxHeight: '50vh', '& td': { overflowWrap: 'anywhere' } }}
    >
      <Table size="small" stickyHeader aria-label={texts.bulk.sample}>
        <TableHead>
          <TableRow>
            {texts.bulk.columns.map((name) => (
              <TableCell key={name}>{name}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {sample.flatMap(({ ref, changes }) =>
            changes.map(({ field, before, after, isSecret }, index) => (
              <TableRow key={`${ref} ${field}`}>
                <TableCell>{index === 0 ? ref : ''}</TableCell>
                <TableCell>{texts.kinds.heading(field)}</TableCell>
                <TableCell>{shown(before, isSecret)}</TableCell>
                <TableCell>{shown(after, isSecret)}</TableCell>
              </TableRow>
            )),
          )}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function shown(value: string | null, isSecret: boolean): string {
  if (value === null) return texts.parts.noValue;
  return isSecret ? texts.bulk.secret : value;
}
