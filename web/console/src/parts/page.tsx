import { Alert, Box, LinearProgress, Paper, Stack, Typography } from '@mui/material';
import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Title } from 'react-admin';

import { messageOf } from '../graph/graph-error';
import { texts } from '../texts';

interface PageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with a title, and the buttons for the whole page. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 2, minWidth: 0 }}>
      <Title title={title} />
      {actions !== undefined && <PageActions>{actions}</PageActions>}
      {children}
    </Box>
  );
}

/** The id of the place beside the heading, which the frame of the pages has. */
export const ACTIONS_PLACE = 'page-actions';

/** Shows the buttons for the whole page beside its heading. */
export function PageActions({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => setPlace(document.getElementById(ACTIONS_PLACE)), []);
  return place && createPortal(children, place);
}

interface SectionProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, action, children }: SectionProps) {
  return (
    <Box component="section" aria-label={title} sx={{ minWidth: 0 }}>
      <Stack
        direction="row"
        useFlexGap
        sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}
      >
        <Typography component="h2" variant="h6">
          {title}
        </Typography>
        {action}
      </Stack>
      {children}
    </Box>
  );
}

interface RowsProps<Row> {
  readonly label: string;
  /** Undefined while they are read. */
  readonly rows: readonly Row[] | undefined;
  readonly error?: unknown;
  readonly empty: string;
  readonly keyOf: (row: Row) => string;
  readonly children: (row: Row) => ReactNode;
}

/** A list of rows that wraps on a phone. */
export function Rows<Row>({ label, rows, error, empty, keyOf, children }: RowsProps<Row>) {
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
