import { Resource } from 'react-admin';

import type { Load } from '../feature';
import type { Kind } from '../model/model';
import { onDemand } from '../on-demand';

/** Loads the component of lists. */
export const loadList: Load = async () => (await import('./kind-list')).KindList;

const list = onDemand(loadList);
const show = onDemand(async () => (await import('./kind-page')).KindPage);
const create = onDemand(async () => (await import('./create-page')).CreatePage);
const edit = onDemand(async () => (await import('./edit-page')).EditPage);

/** The pages of a kind. Those who may not write have no forms. */
export function resourceOf({ name, collection, label }: Kind, mayWrite: boolean) {
  return (
    <Resource
      key={name}
      name={collection}
      list={list}
      show={show}
      {...(mayWrite && { create, edit })}
      recordRepresentation={label}
    />
  );
}
