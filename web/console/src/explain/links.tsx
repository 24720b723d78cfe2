import { Link } from '@mui/material';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';

import { addressOf } from './question';

/** A link to the explanation of a number, an address of record or a name. */
export function QuestionLink({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <Link component={RouterLink} to={addressOf(text)} sx={{ overflowWrap: 'anywhere' }}>
      {children ?? text}
    </Link>
  );
}
