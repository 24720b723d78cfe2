import HealthIcon from '@mui/icons-material/MonitorHeart';

import type { Feature } from '../feature';
import { texts } from '../texts';
import { SCOPES } from './scope';

/** The feature of this folder. */
export const health: Feature = {
  pages: [{ path: 'health', load: () => import('./health-page').then(({ HealthPage }) => HealthPage) }],
  panels: [
    {
      load: () => import('./resource-health').then(({ ResourceHealth }) => ResourceHealth),
      kinds: Object.keys(SCOPES),
      tab: 'numbers',
    },
  ],
  menu: [{ to: 'health', label: texts.titles.health, icon: <HealthIcon />, group: 'numbers', position: 10 }],
};
