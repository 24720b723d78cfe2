import { CssBaseline, ThemeProvider, useMediaQuery } from '@mui/material';
import { Suspense } from 'react';

import { dark, light } from './layout/theme';
import { onDemand } from './on-demand';
import { SignInPage } from './session/sign-in-page';
import { useSession } from './session/use-session';
import { texts } from './texts';

const Console = onDemand(async () => (await import('./console')).Console);

/** The console for whoever is signed in, and otherwise the sign-in page. */
export function App() {
  const session = useSession();
  const isDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  if (session)
    return (
      <Suspense fallback={<p className="loading">{texts.layout.loading}</p>}>
        <Console />
      </Suspense>
    );
  return (
    <ThemeProvider theme={isDark ? dark : light}>
      <CssBaseline />
      <SignInPage />
    </ThemeProvider>
  );
}
