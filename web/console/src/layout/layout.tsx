import { Box, Dialog, DialogContent, DialogTitle, type Theme, useMediaQuery } from '@mui/material';
import { memo, useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { AppBar, Layout, Sidebar, TitlePortal, useSidebarState, useStore } from 'react-admin';

import { isShared } from '../../../shared/session';
import { features } from '../features';
import { useSessionState } from '../graph/session';
import { onDemand } from '../on-demand';
import { PageLink } from '../parts/links';
import { ACTIONS_PLACE } from '../parts/page';
import { SignInForm } from '../sign-in';
import { texts } from '../texts';
import { AccountMenu, ConsoleMenu } from './menu';
import { SearchButton } from './search';
import { WithSearch } from './search-dialog';

const banners = features.flatMap((feature) => feature.banners ?? []).map((load) => onDemand(load));

/** The frame of every page: the bar, the menu, and the dialog to sign in again. */
export function ConsoleLayout({ children }: { readonly children?: ReactNode }) {
  return (
    <WithSearch>
      <Layout appBar={Bar} menu={ConsoleMenu} sidebar={SidebarByWidth} appBarAlwaysOn>
        <Box sx={HEAD}>
          <PageTitle />
          <Box id={ACTIONS_PLACE} sx={ACTIONS} />
        </Box>
        {banners.map((Banner, index) => (
          <Banner key={index} />
        ))}
        {children}
        <SignInAgain />
      </Layout>
    </WithSearch>
  );
}

const Bar = memo(function Bar() {
  return (
    <AppBar userMenu={<AccountMenu />} alwaysOn>
      <PageLink to="/" color="inherit" underline="none" sx={{ typography: 'h6', px: 1 }}>
        {texts.layout.name}
      </PageLink>
      <Box sx={{ flex: 1 }} />
      <SearchButton />
    </AppBar>
  );
});

/**
 * The side bar: open beside a wide page, and closed when the page becomes as narrow as a phone, where it is a dialog over
 * the page.
 */
function SidebarByWidth({ children }: { readonly children: ReactNode }) {
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const [madeFor, setMadeFor] = useState<boolean>();
  const [, setOpen] = useSidebarState();
  // The width has closed it, not the user: the next wide page has it, too, in this tab or a later one.
  const [wasNarrow, setWasNarrow] = useStore('sidebar.wasNarrow', false);
  useLayoutEffect(() => {
    if (isNarrow || wasNarrow) setOpen(!isNarrow);
    setWasNarrow(isNarrow);
    setMadeFor(isNarrow);
    // Not when the others change, because another tab may have another width.
  }, [isNarrow]);
  // Made anew, after it is known to be closed: a dialog that closes while it appears leaves the page hidden from
  // assistive technology, and so does a drawer that becomes a dialog.
  if (madeFor !== isNarrow) return null;
  return <Sidebar appBarAlwaysOn>{children}</Sidebar>;
}

// The buttons of the page are beside its heading, or below it on a phone.
const HEAD = { display: 'flex', flex: 'none', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 };
const ACTIONS = { display: 'flex', flexWrap: 'wrap', gap: 1, ml: 'auto' };

/** The heading of the page. Long names wrap. */
function PageTitle() {
  useEffect(nameDocument, []);
  return (
    <TitlePortal
      component="h1"
      variant="h5"
      sx={{ flex: '0 1 auto', minWidth: 0, whiteSpace: 'normal', overflowWrap: 'anywhere' }}
    />
  );
}

/** Gives the tab the title of the page, whichever part of the page says it. */
function nameDocument(): (() => void) | undefined {
  const title = document.getElementById('react-admin-title');
  if (!title) return undefined;
  const name = (): void => {
    document.title = texts.layout.title(title.textContent);
  };
  const observer = new MutationObserver(name);
  observer.observe(title, { childList: true, characterData: true, subtree: true });
  name();
  return () => observer.disconnect();
}

/** Asks to sign in again when the token has ended. For the same user, the page stays, and what it was doing goes on. */
function SignInAgain() {
  const { ended } = useSessionState();
  return (
    <Dialog open={ended !== undefined} aria-labelledby="sign-in-again" fullWidth maxWidth="xs">
      <DialogTitle id="sign-in-again">{texts.session.again}</DialogTitle>
      <DialogContent>
        <SignInForm
          username={ended?.username ?? ''}
          hint={texts.session.ended}
          isOnlyThisTab={ended !== undefined && !isShared(ended)}
        />
      </DialogContent>
    </Dialog>
  );
}
