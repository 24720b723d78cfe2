import { Box, Typography } from '@mui/material';
import { createTheme, type ThemeOptions } from '@mui/material/styles';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import english from 'ra-language-english';
import { useEffect } from 'react';
import {
  Admin,
  CustomRoutes,
  defaultDarkTheme,
  defaultLightTheme,
  localStorageStore,
  Title,
  type AuthProvider,
} from 'react-admin';
import { createBrowserRouter, matchPath, Route, RouterProvider, useLocation, useRouteError } from 'react-router-dom';

import { dataProvider } from './data/data-provider';
import { nameInMessages } from './data/names';
import { features } from './features';
import { CONSOLE_PATH } from './graph/post';
import { sessionState, signOut, useMayWrite, useSession, type Session } from './graph/session';
import { resourceOf } from './kinds';
import { ConsoleLayout } from './layout/layout';
import { isOffered } from './layout/menu';
import { useModel } from './model/model';
import { onDemand, preload } from './on-demand';
import { PageLink } from './parts/links';
import { texts } from './texts';
import { darkOptions, lightOptions } from './theme';

const entries = features.flatMap(({ menu = [], accountEntries = [] }) => [...menu, ...accountEntries]);
const pages = features
  .flatMap((feature) => feature.pages ?? [])
  .map((page) => ({
    path: page.path,
    Page: onDemand(page.load),
    offers: [page, ...entries.filter(({ to }) => to.split('?')[0] === page.path)],
  }));
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
  const model = useModel();
  const { kinds } = model;
  useEffect(() => nameInMessages(model), [model]);
  const mayWrite = useMayWrite();
  const session = useSession();
  // Whoever is not offered a page has none at its address either.
  const own = pages.filter(({ path, offers }) => path !== '' && offers.every((each) => isOffered(each, session)));
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

/** Tells react-admin who is signed in. Rejected tokens are handled in graph/request.ts, so react-admin sees none. */
const authProvider: AuthProvider = {
  login: async () => Promise.resolve(),
  logout: async () => {
    await signOut();
    // The page stays at its address: there is no other one to sign in.
    return false;
  },
  checkAuth: async () => {
    currentUser();
    return Promise.resolve();
  },
  checkError: async () => Promise.resolve(),
  getIdentity: async () => {
    const { username } = currentUser();
    return Promise.resolve({ id: username, fullName: username });
  },
  getPermissions: async () => Promise.resolve(currentUser().role),
};

function currentUser(): Session {
  const { session, ended } = sessionState();
  const user = session ?? ended;
  if (!user) throw new Error(texts.session.nobody);
  return user;
}

/** Names for screen readers that react-admin's own parts lack. */
const components: ThemeOptions['components'] = {
  MuiCircularProgress: { defaultProps: { 'aria-label': texts.layout.reading } },
  MuiCheckbox: {
    defaultProps: {
      // The name of a row's checkbox is on its outer element, where it is not allowed, instead of the input.
      slotProps: { root: { 'aria-label': undefined }, input: (props) => ({ 'aria-label': props['aria-label'] }) },
    },
  },
};

/** The theme of the console's pages on a light background. */
const adminLight = themeOf(defaultLightTheme, lightOptions);

/** The theme of the console's pages on a dark background. */
const adminDark = themeOf(defaultDarkTheme, darkOptions);

/** A theme of react-admin with our options. */
function themeOf(base: ThemeOptions, options: ThemeOptions) {
  return createTheme({
    ...base,
    ...options,
    components: { ...base.components, ...options.components, ...components },
  });
}

const { ra } = english;
/** The texts of react-admin's own parts, with those that we call something else. */
const messages = {
  ...english,
  ra: {
    ...ra,
    auth: { ...ra.auth, logout: texts.layout.signOut },
    notification: { ...ra.notification, ...texts.kinds.notices },
  },
};

/** Gives react-admin its texts. */
const i18nProvider = polyglotI18nProvider(() => messages, 'en', [{ locale: 'en', name: 'English' }], {
  allowMissing: true,
});

/** Shown instead of the console if it cannot start. react-admin shows the errors of its pages. */
function Failure() {
  const error = useRouteError();
  return (
    <p className="loading" role="alert">
      {texts.layout.failed(
        error instanceof Error ? error.message : String(error),
        <a href="">{texts.layout.reload}</a>,
      )}
    </p>
  );
}

/** The page for an address without a page, or whose page is for other roles. */
function NotFound() {
  const { pathname } = useLocation();
  const isThere = pages.some(({ path }) => path !== '' && matchPath(path, pathname) !== null);
  return (
    <Box sx={{ p: 2 }}>
      <Title title={isThere ? texts.layout.notAllowed : texts.layout.notFound} />
      {!isThere && <Typography gutterBottom>{texts.layout.notFoundAt(<code>{pathname}</code>)}</Typography>}
      <PageLink to="/">{texts.layout.home}</PageLink>
    </Box>
  );
}
