import type { Kind } from '../model/kind';
import { liveOperations } from './live-operations';
import type { Operation } from './operation';
import type { RestOptions } from './options';
import { getResource, listResources } from './resource-reads';
import { createResource, deleteResource, deleteResources, updateResource } from './resource-writes';
import { systemOperations } from './system-operations';

/** All operations of the REST API (docs/rest-contract.md, section 4.2), with the status that the options ask for. */
export function operations(options: RestOptions): readonly Operation[] {
  const all = [
    ...options.kinds.flatMap((kind) => resourceOperations(kind, options)),
    ...liveOperations(options.maxItemsPerPage),
    ...systemOperations(options.provider),
  ];
  return all.map((each) => ({ ...each, numericStatus: options.numericStatus || each.numericStatus }));
}

/** The operations of a kind: list, get, create, update and delete. */
function resourceOperations(kind: Kind, options: RestOptions): readonly Operation[] {
  return [
    listResources(kind, options),
    getResource(kind, options),
    createResource(kind),
    updateResource(kind),
    deleteResource(kind),
    deleteResources(kind),
  ];
}
