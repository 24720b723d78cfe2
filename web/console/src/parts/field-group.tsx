import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';

interface Props {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** Fields of a form that belong together, in a frame with their name. */
export function FieldGroup({ label, children }: Props) {
  return (
    <Box
      component="fieldset"
      sx={{ width: '100%', border: 1, borderColor: 'divider', borderRadius: 1, mx: 0, mt: 1, mb: 2 }}
    >
      <Typography component="legend" variant="body2">
        {label}
      </Typography>
      {children}
    </Box>
  );
}
