import { Box } from '@mui/material';
import type { ReactNode } from 'react';

import { colorOf, type Progress } from './progress';

interface Props {
  readonly progress: Progress;
  /** The state in words: the colour of the dot only repeats it. */
  readonly children: ReactNode;
}

/** A state in words, with a dot in its colour. */
export function Status({ progress, children }: Props) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, minWidth: 0, maxWidth: '100%' }}>
      <Box
        component="span"
        aria-hidden
        sx={{ flex: 'none', width: 8, height: 8, borderRadius: '50%', bgcolor: colorOf(progress) }}
      />
      <Box component="span" className="status" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {children}
      </Box>
    </Box>
  );
}
