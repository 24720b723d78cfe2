import AccountTree from '@mui/icons-material/AccountTree';
import Dialpad from '@mui/icons-material/Dialpad';
import Folder from '@mui/icons-material/Folder';
import Hub from '@mui/icons-material/Hub';
import Person from '@mui/icons-material/Person';
import Phone from '@mui/icons-material/Phone';
import Router from '@mui/icons-material/Router';
import type { ComponentType } from 'react';

import type { MenuEntry } from '../feature';
import type { Model } from '../model/model';
import { texts } from '../texts';
import { loadList } from './resources';

const ICONS: Readonly<Record<string, ComponentType>> = {
  Agent: Person,
  DID: Dialpad,
  Domain: AccountTree,
  Gateway: Router,
  Number: Phone,
  Peer: Hub,
};

/** The menu entries of the kinds' lists. */
export function kindEntries({ kinds }: Model): readonly MenuEntry[] {
  return kinds.map(({ name, collection }, index) => {
    const Icon = ICONS[name] ?? Folder;
    const label = texts.kinds.heading(collection);
    return { to: collection, label, icon: <Icon />, position: 100 + index, load: loadList };
  });
}
