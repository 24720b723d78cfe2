import { CssBaseline, ThemeProvider, useMediaQuery } from '@mui/material';

import { useSession } from './graph/session';
import { dark, light } from './layout/theme';
import { onDemand } from './on-demand';
import { preload } from './preload';
import { SignInPage } from './session/sign-in-page';
import { texts } from './texts';

const Console = onDemand(
  async () => {
    preload('console');
    return (await import('./console')).Console;
  },
  <p className="loading">{texts.layout.loading}</p>,
);

/** The console for whoever is signed in, and otherwise the sign-in page. */
export function App() {
  const session = useSession();
  const isDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  if (session) return <Console />;
  return (
    <ThemeProvider theme={isDark ? dark : light}>
      <CssBaseline />
      <SignInPage />
    </ThemeProvider>
  );
}
