import Group from '@mui/icons-material/Group';
import VpnKey from '@mui/icons-material/VpnKey';

import type { Feature } from '../feature';
import { isAdmin } from '../graph/session';
import { texts } from '../texts';

/** Users, and the account of whoever is signed in. */
export const accounts: Feature = {
  pages: [
    { path: 'users', load: async () => (await import('./users-page')).UsersPage },
    { path: 'account', load: async () => (await import('./account-page')).AccountPage },
  ],
  menu: [{ to: 'users', label: texts.titles.users, icon: <Group />, group: 'settings', position: 10, isFor: isAdmin }],
  accountEntries: [{ to: 'account', label: texts.titles.account, icon: <VpnKey />, position: 1 }],
};
