import Keyboard from '@mui/icons-material/Keyboard';
import { Divider, ListItemIcon, ListItemText, MenuItem } from '@mui/material';
import { Suspense, useState } from 'react';
import { Logout, Menu, UserMenu, useUserMenu } from 'react-admin';
import { Link } from 'react-router-dom';

import type { MenuEntry } from '../feature';
import { features } from '../features';
import { useSession, type Session } from '../graph/session';
import { kindEntries } from '../kinds';
import { useModel } from '../model/model';
import { texts } from '../texts';
import { Keys } from './keys';

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

/** The entries that this user is offered, in order. */
export function forSession(entries: readonly MenuEntry[], session: Session | undefined): readonly MenuEntry[] {
  return entries
    .filter(({ isFor }) => session !== undefined && (isFor?.(session) ?? true))
    .sort((one, other) => one.position - other.position);
}

/** Who is signed in, with which role, their pages, the keys, and the way out. */
export function AccountMenu() {
  const session = useSession();
  const [isKeysOpen, setKeysOpen] = useState(false);
  const entries = forSession(
    features.flatMap(({ accountEntries }) => accountEntries ?? []),
    session,
  );
  return (
    <>
      <UserMenu label={texts.layout.accountOf(session?.username ?? '')}>
        <MenuItem disabled sx={{ opacity: '1 !important' }}>
          <ListItemText primary={session?.username} secondary={texts.layout.role(session?.role ?? '')} />
        </MenuItem>
        {entries.map((entry) => (
          <AccountEntry key={entry.to} entry={entry} />
        ))}
        <KeysEntry onClick={() => setKeysOpen(true)} />
        <Logout />
      </UserMenu>
      <Keys isOpen={isKeysOpen} setOpen={setKeysOpen} />
    </>
  );
}

function AccountEntry({ entry: { to, label, icon } }: { readonly entry: MenuEntry }) {
  const menu = useUserMenu();
  return (
    <MenuItem component={Link} to={`/${to}`} onClick={menu?.onClose}>
      <ListItemIcon>{icon}</ListItemIcon>
      <ListItemText>{label}</ListItemText>
    </MenuItem>
  );
}

function KeysEntry({ onClick }: { readonly onClick: () => void }) {
  const menu = useUserMenu();
  const open = (): void => {
    menu?.onClose();
    onClick();
  };
  return (
    <MenuItem onClick={open}>
      <ListItemIcon>
        <Keyboard />
      </ListItemIcon>
      <ListItemText>{texts.layout.keys}</ListItemText>
    </MenuItem>
  );
}
