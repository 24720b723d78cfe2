import Code from '@mui/icons-material/Code';
import Keyboard from '@mui/icons-material/Keyboard';
import { Box, Divider, ListItemIcon, ListItemText, ListSubheader, MenuItem } from '@mui/material';
import { Fragment, memo, Suspense, useState } from 'react';
import { Logout, Menu, MenuItemLinkClasses, UserMenu, useSidebarState, useUserMenu } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';

import { PAGES, useOtherPages } from '../../../shared/pages';
import type { MenuEntry } from '../feature';
import { features } from '../features';
import { serverUrl } from '../graph/post';
import { useSession, type Session } from '../graph/session';
import { kindEntries } from '../kinds';
import { useModel } from '../model/model';
import { onDemand, prepare } from '../on-demand';
import { texts } from '../texts';
import { Keys } from './keys';

/**
 * The menu of the pages that the user is offered: those of features, and those of the kinds. Not rendered again with each
 * step in which a page is shown.
 */
export const ConsoleMenu = memo(function ConsoleMenu() {
  return (
    <nav aria-label={texts.layout.menu}>
      <Menu>
        <Suspense fallback={null}>
          <Entries />
        </Suspense>
      </Menu>
    </nav>
  );
});

function Entries() {
  const session = useSession();
  const [isOpen] = useSidebarState();
  const own = features.flatMap(({ menu }) => menu ?? []);
  const entries = forSession([...own, ...kindEntries(useModel())], session);
  return entries.map((entry, index) => (
    <Fragment key={entry.to}>
      {index > 0 && groupOf(entry) !== groupOf(entries[index - 1]) && <GroupHead of={entry} isOpen={isOpen} />}
      <Entry entry={entry} />
    </Fragment>
  ));
}

const GROUPS = Object.keys(texts.layout.groups);

/** The place of an entry's group. */
function groupOf(entry: MenuEntry | undefined): number {
  return GROUPS.indexOf(entry?.group ?? 'now');
}

/** What separates a group from the one above: its heading, or a line if it has none, or there is no room. */
function GroupHead({ of: { group = 'now' }, isOpen }: { readonly of: MenuEntry; readonly isOpen: boolean }) {
  const heading = texts.layout.groups[group];
  if (heading === '' || !isOpen) return <Divider component="li" sx={{ my: 1 }} />;
  return (
    <ListSubheader role="presentation" disableSticky sx={{ px: 2, pt: 1.5, pb: 0.5, lineHeight: 1.5 }}>
      {heading}
    </ListSubheader>
  );
}

/** Loads the page of an entry, so that it is there when it is chosen. */
function prepareEntry({ to, load }: MenuEntry): void {
  const page = features.flatMap(({ pages }) => pages ?? []).find(({ path }) => path === to.split('?')[0]);
  const wanted = load ?? page?.load;
  if (wanted) void prepare(wanted);
}

const counts = new Map(
  features.flatMap(({ menu = [] }) => menu).flatMap(({ to, count }) => (count ? [[to, onDemand(count)] as const] : [])),
);

function Entry({ entry }: { readonly entry: MenuEntry }) {
  const { to, label, icon } = entry;
  const Count = counts.get(to);
  const isCurrent = useIsCurrent(to);
  const onIntent = (): void => prepareEntry(entry);
  return (
    <Menu.Item
      to={`/${to}`}
      primaryText={
        <Box component="span" sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
          {label}
          {Count && <Count />}
        </Box>
      }
      leftIcon={icon}
      className={isCurrent ? MenuItemLinkClasses.active : ''}
      aria-current={isCurrent ? 'page' : undefined}
      onPointerEnter={onIntent}
      onFocus={onIntent}
    />
  );
}

/** Whether a page with this path is shown, and its parameters are those of the address. */
function useIsCurrent(to: string): boolean {
  const { pathname, search } = useLocation();
  const [path = '', wanted] = to.split('?');
  const given = new URLSearchParams(search);
  const isHere = pathname === `/${path}` || (path !== '' && pathname.startsWith(`/${path}/`));
  return isHere && [...new URLSearchParams(wanted)].every(([name, value]) => given.get(name) === value);
}

/** The entries that this user is offered, in order. */
export function forSession(entries: readonly MenuEntry[], session: Session | undefined): readonly MenuEntry[] {
  return entries
    .filter((entry) => isOffered(entry, session))
    .sort((one, other) => groupOf(one) - groupOf(other) || one.position - other.position);
}

/** Whether this user is offered a page. */
export function isOffered({ isFor }: Pick<MenuEntry, 'isFor'>, session: Session | undefined): boolean {
  return session !== undefined && (isFor?.(session) ?? true);
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
        <PageEntries />
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

/** The pages of the server beside the console. */
function PageEntries() {
  return useOtherPages('console', serverUrl).map((page) => (
    <MenuItem key={page} component="a" href={serverUrl(page)}>
      <ListItemIcon>
        <Code />
      </ListItemIcon>
      <ListItemText>{PAGES[page]}</ListItemText>
    </MenuItem>
  ));
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
