import { Resource } from 'react-admin';

import { onDemand } from '../on-demand';
import type { Kind } from '../model/kind';

const list = onDemand(async () => (await import('./kind-list')).KindList);
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
