import HealthIcon from '@mui/icons-material/MonitorHeart';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** The feature of this folder. */
export const health: Feature = {
  pages: [{ path: 'health', load: () => import('./health-page').then(({ HealthPage }) => HealthPage) }],
  menu: [{ to: 'health', label: texts.titles.health, icon: <HealthIcon />, position: 30 }],
};
