import type { AuthProvider } from 'react-admin';

import { sessionState, signOut } from '../graph/session';
import { texts } from '../texts';

function current(): NonNullable<ReturnType<typeof sessionState>['session']> {
  const { session, ended } = sessionState();
  const user = session ?? ended;
  if (!user) throw new Error(texts.session.nobody);
  return user;
}

/** Tells react-admin who is signed in. Rejected tokens are handled in graph/client.ts, so react-admin sees none. */
export const authProvider: AuthProvider = {
  login: async () => Promise.resolve(),
  logout: async () => {
    await signOut();
    // The page stays at its address: there is no other one to sign in.
    return false;
  },
  checkAuth: async () => {
    current();
    return Promise.resolve();
  },
  checkError: async () => Promise.resolve(),
  getIdentity: async () => {
    const { username } = current();
    return Promise.resolve({ id: username, fullName: username });
  },
  getPermissions: async () => Promise.resolve(current().role),
};
