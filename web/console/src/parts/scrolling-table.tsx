import { Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from '@mui/material';
import type { ReactNode } from 'react';

interface ScrollingTableProps {
  /** What the table contains, for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** In CSS units, such as `50vh`. */
  readonly maxHeight: string;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table that scrolls below its headings, also with the keyboard. */
export function ScrollingTable({ label, columns, maxHeight, children }: ScrollingTableProps) {
  return (
    // Focusable, so that the keyboard scrolls it.
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={{ maxHeight, '& td': { overflowWrap: 'anywhere' } }}
    >
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((name) => (
              <TableCell key={name}>{name}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>{children}</TableBody>
      </Table>
    </TableContainer>
  );
}
