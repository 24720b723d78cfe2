import { Box, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import type { ReactNode } from 'react';

import { texts } from '../texts';

/** A column of a table. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** The text of the cell, of which a line is shown. The pointer shows the rest. */
  readonly line?: (row: Row) => string;
}

interface Props<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** The class of a cell of one line. */
const LINE = 'line';
/** The part of the table for each of these cells: what the others leave is shared between them. */
const SHARE = '20%';

// On a phone, each row is a block: the first cell as its heading, and the others below, as many in a line as fit.
const NARROW = '@media (max-width: 899px)';
const BLOCKS = {
  '&, & tbody, & td': { display: 'block' },
  '& thead': { display: 'none' },
  '& tr': { display: 'flex', flexWrap: 'wrap', columnGap: 1.5, py: 1, borderBottom: 1, borderColor: 'divider' },
  '& td': { border: 0, py: 0.25, px: 0, minWidth: 0 },
  '& td::before': { content: 'attr(data-label)', color: 'text.secondary' },
  '& td:first-of-type': { flexBasis: '100%', fontWeight: 600 },
  '& td:first-of-type::before': { content: 'none' },
  '& td:empty': { display: 'none' },
  [`& td.${LINE}`]: { width: 'auto', maxWidth: 'none', whiteSpace: 'normal' },
  // What draws takes the rest of the line, or one of its own, beside its label.
  '& td:has(svg[role="img"])': { flex: '1 1 14rem', display: 'flex', alignItems: 'center', columnGap: 1 },
  '& td:has(svg[role="img"])::before': { flex: 'none' },
};
/** The width in pixels of a column that is still readable. */
const COLUMN_WIDTH = 100;

/** A table that is readable on a phone, and beside something else, too. */
export function DataTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <Box sx={{ containerType: 'inline-size' }}>
      <Table
        size="small"
        aria-label={label}
        sx={{
          '& td': { overflowWrap: 'anywhere' },
          // Words that are read at a glance are not broken.
          '& time, & .status': { whiteSpace: 'nowrap' },
          [`& td.${LINE}`]: {
            ...{ width: SHARE, maxWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
          },
          [NARROW]: BLOCKS,
          [`@container (max-width: ${columns.length * COLUMN_WIDTH}px)`]: BLOCKS,
        }}
      >
        <TableHead>
          <TableRow>
            {columns.map((column) => (
              <TableCell key={column.label}>{column.label}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} hover>
              {columns.map((column) => (
                <TableCell
                  key={column.label}
                  className={column.line && LINE}
                  title={column.line?.(row)}
                  data-label={texts.layout.cell(column.label)}
                >
                  {column.cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
