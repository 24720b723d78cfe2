import PendingActions from '@mui/icons-material/PendingActions';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** Changes that are scheduled or wait for confirmation. */
export const pending: Feature = {
  pages: [{ path: 'pending', load: async () => (await import('./pending-page')).PendingPage }],
  menu: [{ to: 'pending', label: texts.titles.pending, icon: <PendingActions />, group: 'history', position: 20 }],
  banners: [async () => (await import('./bar')).PendingBar],
};
