import History from '@mui/icons-material/History';

import type { Feature } from '../feature';
import { texts } from '../texts';

/** The history of changes, and reverts. */
export const history: Feature = {
  pages: [{ path: 'history', load: async () => (await import('./history-page')).HistoryPage }],
  menu: [{ to: 'history', label: texts.titles.history, icon: <History />, group: 'history', position: 10 }],
  panels: [{ load: async () => (await import('./resource-history')).ResourceHistory, tab: 'history' }],
};
