import { useMediaQuery, type Theme } from '@mui/material';

import type { Kind } from '../model/model';

/** Whether the screen has the width of a phone. */
export function useIsPhone(): boolean {
  return useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'), { noSsr: true });
}

/** The key under which the choice of columns is kept; a phone has its own. */
export function columnsKey({ collection }: Kind, isPhone: boolean): string {
  return `${collection}.${isPhone ? 'phone' : 'wide'}`;
}
