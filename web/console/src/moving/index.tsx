import MoveDown from '@mui/icons-material/MoveDown';

import type { Feature } from '../feature';
import { isAdmin } from '../graph/session';
import { texts } from '../texts';

/** Moves in other systems, for admins. */
export const moving: Feature = {
  pages: [{ path: 'moving', load: async () => (await import('./moving-page')).MovingPage }],
  menu: [
    { to: 'moving', label: texts.titles.moving, icon: <MoveDown />, group: 'settings', position: 40, isFor: isAdmin },
  ],
};
