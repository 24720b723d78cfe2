import AccountTree from '@mui/icons-material/AccountTree';
import AltRoute from '@mui/icons-material/AltRoute';
import Dialpad from '@mui/icons-material/Dialpad';
import Folder from '@mui/icons-material/Folder';
import Hub from '@mui/icons-material/Hub';
import Person from '@mui/icons-material/Person';
import Phone from '@mui/icons-material/Phone';
import Router from '@mui/icons-material/Router';
import type { ComponentType } from 'react';
import { Resource } from 'react-admin';

import type { Load, MenuEntry, MenuGroup } from '../feature';
import type { Kind, Model } from '../model/model';
import { onDemand, preload } from '../on-demand';
import { texts } from '../texts';

/** Loads the component of lists, and the parts that features add to them. */
export const loadList: Load = async () => {
  preload('kind-list');
  const { KindList, prepareParts } = await import('./kind-list');
  await prepareParts();
  return KindList;
};

const list = onDemand(loadList);
const show = onDemand(async () => (await import('./kind-page')).KindPage);
const create = onDemand(async () => (await import('./create-page')).CreatePage);
const edit = onDemand(async () => (await import('./edit-page')).EditPage);
const readOnly = onDemand(async () => (await import('./read-only')).ReadOnly);

/** The pages of a kind. Those who may not write have no forms: their addresses lead to what can be seen. */
export function resourceOf({ name, collection, label }: Kind, mayWrite: boolean) {
  return (
    <Resource
      key={name}
      name={collection}
      list={list}
      show={show}
      create={mayWrite ? create : readOnly}
      edit={mayWrite ? edit : readOnly}
      recordRepresentation={label}
    />
  );
}

/** Where the lists of the kinds are in the menu, and their icons. */
const PLACES: Readonly<Record<string, readonly [MenuGroup, position: number, icon: ComponentType]>> = {
  Agent: ['people', 10, Person],
  DID: ['numbers', 20, Dialpad],
  Domain: ['people', 20, AccountTree],
  Gateway: ['trunks', 10, Router],
  Number: ['numbers', 30, Phone],
  Peer: ['trunks', 30, Hub],
  Route: ['trunks', 25, AltRoute],
};

/** The menu entries of the kinds' lists. */
export function kindEntries({ kinds }: Model): readonly MenuEntry[] {
  return kinds.map(({ name, collection }, index) => {
    const [group, position, Icon] = PLACES[name] ?? ['more', index, Folder];
    const label = texts.kinds.heading(collection);
    return { to: collection, label, icon: <Icon />, group, position, load: loadList };
  });
}
