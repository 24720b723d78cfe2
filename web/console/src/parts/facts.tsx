import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';

/** A name, and what it has. */
export type Fact = readonly [name: string, value: ReactNode];

interface Props {
  readonly of: readonly Fact[];
  /** Whether values are below their names where there is little room. */
  readonly stacksOnPhone?: boolean;
}

/** Names with their values. */
export function Facts({ of, stacksOnPhone = false }: Props) {
  const columns = 'max-content 1fr';
  return (
    <Box
      component="dl"
      sx={{
        ...{ display: 'grid', columnGap: 2, m: 0, '& dd': { m: 0 } },
        gridTemplateColumns: stacksOnPhone ? { sm: columns } : columns,
      }}
    >
      {of.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Typography component="dt" variant="body2" color="text.secondary">
            {name}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
