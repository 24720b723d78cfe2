import { Box, Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { Title } from 'react-admin';

interface Props {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with a title, and the buttons for the whole page. */
export function Page({ title, actions, children }: Props) {
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 2, minWidth: 0 }}>
      <Title title={title} />
      {actions !== undefined && (
        <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', justifyContent: 'flex-end' }}>
          {actions}
        </Stack>
      )}
      {children}
    </Box>
  );
}
