import { Alert, Box, LinearProgress, Paper, Typography } from '@mui/material';
import type { ReactNode } from 'react';

import { texts } from '../texts';
import { messageOf } from '../graph/graph-error';

interface Props<Row> {
  readonly label: string;
  /** Undefined while they are read. */
  readonly rows: readonly Row[] | undefined;
  readonly error?: unknown;
  readonly empty: string;
  readonly keyOf: (row: Row) => string;
  readonly children: (row: Row) => ReactNode;
}

/** A list of rows that wraps on a phone. */
export function Rows<Row>({ label, rows, error, empty, keyOf, children }: Props<Row>) {
  // What was read before stays.
  if (error)
    return (
      <>
        <Alert severity="error">{messageOf(error)}</Alert>
        {rows && <Rows label={label} rows={rows} empty={empty} keyOf={keyOf} children={children} />}
      </>
    );
  if (!rows) return <LinearProgress aria-label={texts.parts.loading} />;
  if (rows.length === 0) return <Typography color="text.secondary">{empty}</Typography>;
  return (
    <Box component="ul" aria-label={label} sx={{ display: 'grid', gap: 1, m: 0, p: 0, minWidth: 0 }}>
      {rows.map((row) => (
        <Paper
          key={keyOf(row)}
          component="li"
          sx={{ p: 1.5, listStyle: 'none', overflowWrap: 'anywhere', minWidth: 0 }}
        >
          {children(row)}
        </Paper>
      ))}
    </Box>
  );
}
