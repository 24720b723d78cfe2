import { useEffect, type ReactNode } from 'react';
import { AppBar, Layout, TitlePortal } from 'react-admin';

import { SignInAgain } from '../session/sign-in-again';
import { texts } from '../texts';
import { AccountMenu } from './account-menu';
import { ConsoleMenu } from './menu';

/** The frame of every page: the bar, the menu, and the dialog to sign in again. */
export function ConsoleLayout({ children }: { readonly children?: ReactNode }) {
  return (
    <Layout appBar={Bar} menu={ConsoleMenu} appBarAlwaysOn>
      {children}
      <SignInAgain />
    </Layout>
  );
}

function Bar() {
  useEffect(nameDocument, []);
  return (
    <AppBar userMenu={<AccountMenu />} alwaysOn>
      <TitlePortal component="h1" />
    </AppBar>
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
