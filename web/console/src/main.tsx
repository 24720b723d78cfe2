import './console.css';

import { CssBaseline, ThemeProvider, useMediaQuery } from '@mui/material';
import { createRoot } from 'react-dom/client';

import { useSession } from './graph/session';
import { onDemand, preload } from './on-demand';
import { SignInPage } from './sign-in';
import { texts } from './texts';
import { dark, light } from './theme';

const Console = onDemand(
  async () => {
    preload('console');
    return (await import('./console')).Console;
  },
  <p className="loading">{texts.layout.loading}</p>,
);

/** The console for whoever is signed in, and otherwise the sign-in page. */
function App() {
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

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
