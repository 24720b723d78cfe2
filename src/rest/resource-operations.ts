import type { Kind } from '../model/kind';
import type { Operation } from './operation';
import type { RestOptions } from './options';
import { getResource, listResources } from './resource-reads';
import { createResource, deleteResource, deleteResources, updateResource } from './resource-writes';

/** The operations of a kind: list, get, create, update and delete. */
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
