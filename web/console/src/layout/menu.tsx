import { Divider } from '@mui/material';
import { Suspense } from 'react';
import { Menu } from 'react-admin';

import type { MenuEntry } from '../feature';
import { features } from '../features';
import { useSession } from '../graph/session';
import { kindEntries } from '../kinds/menu';
import { useModel } from '../model/model';
import { forSession } from './menu-entries';

/** The menu of the pages that the user is offered: those of features, and those of the kinds. */
export function ConsoleMenu() {
  return (
    <Menu>
      <Suspense fallback={null}>
        <Entries />
      </Suspense>
    </Menu>
  );
}

function Entries() {
  const session = useSession();
  const own = features.flatMap(({ menu }) => menu ?? []);
  const entries = forSession([...own, ...kindEntries(useModel())], session);
  return entries.map((entry, index) => (
    <Entry key={entry.to} entry={entry} isNewGroup={index > 0 && group(entry) !== group(entries[index - 1])} />
  ));
}

/** Loads the page of an entry, so that it is there when it is chosen. */
function prepare({ to, load }: MenuEntry): void {
  const page = features.flatMap(({ pages }) => pages ?? []).find(({ path }) => path === to);
  // The page shows the error.
  (load ?? page?.load)?.().catch(() => undefined);
}

/** Positions of a hundred belong together. */
function group(entry: MenuEntry | undefined): number {
  return Math.floor((entry?.position ?? 0) / 100);
}

function Entry({ entry, isNewGroup }: { readonly entry: MenuEntry; readonly isNewGroup: boolean }) {
  const { to, label, icon } = entry;
  const onIntent = (): void => prepare(entry);
  return (
    <>
      {isNewGroup && <Divider component="li" sx={{ my: 1 }} />}
      <Menu.Item to={`/${to}`} primaryText={label} leftIcon={icon} onPointerEnter={onIntent} onFocus={onIntent} />
    </>
  );
}
