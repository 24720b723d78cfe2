import type { Kind } from '../model/kind';
import type { Operation } from './operation';
import type { RestOptions } from './options';
import { getResource, listResources } from './resource-reads';
import { createResource, deleteResource, deleteResources, updateResource } from './resource-writes';

/** List, get, create, update, delete: the same for every kind. */
export function resourceOperations(kind: Kind, options: RestOptions): readonly Operation[] {
  return [
    listResources(kind, options),
    getResource(kind, options),
    createResource(kind),
    updateResource(kind),
    deleteResource(kind),
    deleteResources(kind),
  ];
}
