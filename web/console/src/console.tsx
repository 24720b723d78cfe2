import { Admin, CustomRoutes, localStorageStore } from 'react-admin';
import { createBrowserRouter, Route, RouterProvider } from 'react-router-dom';

import { dataProvider } from './data/data-provider';
import { features } from './features';
import { CONSOLE_PATH } from './graph/post';
import { useMayWrite, useSession } from './graph/session';
import { resourceOf } from './kinds/resources';
import { adminDark, adminLight } from './layout/admin-theme';
import { Failure } from './layout/failure';
import { ConsoleLayout } from './layout/layout';
import { forSession } from './layout/menu-entries';
import { NotFound } from './layout/not-found';
import { i18nProvider } from './layout/translations';
import { useModel } from './model/model';
import { onDemand } from './on-demand';
import { preload } from './preload';
import { authProvider } from './session/auth-provider';

const entries = features.flatMap(({ menu = [], accountEntries = [] }) => [...menu, ...accountEntries]);
const pages = features
  .flatMap((feature) => feature.pages ?? [])
  .map(({ path, load }) => ({ path, Page: onDemand(load), entry: entries.filter(({ to }) => to === path) }));
const FirstPage = pages.find(({ path }) => path === '')?.Page;
// Signing out, which resets the store, keeps what the user has chosen: the theme, columns and keys.
const store = { ...localStorageStore('1', 'sipgraph-console'), reset: () => undefined };

const router = createBrowserRouter([{ path: '*', Component: Pages, ErrorBoundary: Failure }], {
  basename: CONSOLE_PATH,
});

// Who opens the address of a list needs its code as soon as the kinds are known.
if (mayBeList(location.pathname.slice(CONSOLE_PATH.length + 1))) preload('kind-list');

/** The pages of the console for somebody who is signed in: react-admin with a data provider over the graph. */
export function Console() {
  // With transitions, a list lives on for a moment after a click: the filter that was just typed would lead back to it.
  return <RouterProvider router={router} useTransitions={false} />;
}

/** Whether the path can be that of a kind. Kinds are not known yet. */
function mayBeList(path: string): boolean {
  return !path.includes('/') && pages.every((page) => page.path !== path);
}

function Pages() {
  const { kinds } = useModel();
  const mayWrite = useMayWrite();
  const session = useSession();
  // Whoever is not offered a page has none at its address either.
  const own = pages.filter(({ path, entry }) => path !== '' && forSession(entry, session).length === entry.length);
  return (
    <Admin
      authProvider={authProvider}
      catchAll={NotFound}
      dashboard={FirstPage}
      darkTheme={adminDark}
      dataProvider={dataProvider}
      disableTelemetry
      i18nProvider={i18nProvider}
      layout={ConsoleLayout}
      loginPage={false}
      store={store}
      theme={adminLight}
      title=""
    >
      {kinds.map((kind) => resourceOf(kind, mayWrite))}
      <CustomRoutes>
        {own.map(({ path, Page }) => (
          <Route key={path} path={`/${path}`} element={<Page />} />
        ))}
      </CustomRoutes>
    </Admin>
  );
}
