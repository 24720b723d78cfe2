import LiveIcon from '@mui/icons-material/Sensors';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** The feature of this folder. */
export const live: Feature = {
  pages: [{ path: 'live', load: () => import('./wall-page').then(({ WallPage }) => WallPage) }],
  panels: [
    { load: () => import('./refused-callers').then(({ RefusedCallers }) => RefusedCallers), kinds: ['Gateway'] },
  ],
  menu: [{ to: 'live', label: texts.titles.live, icon: <LiveIcon />, position: 20 }],
};
