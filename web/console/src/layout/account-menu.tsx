import Keyboard from '@mui/icons-material/Keyboard';
import { ListItemIcon, ListItemText, MenuItem } from '@mui/material';
import { useState } from 'react';
import { Logout, UserMenu, useUserMenu } from 'react-admin';
import { Link } from 'react-router-dom';

import type { MenuEntry } from '../feature';
import { features } from '../features';
import { useSession } from '../graph/session';
import { texts } from '../texts';
import { Keys } from './keys';
import { forSession } from './menu-entries';

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
