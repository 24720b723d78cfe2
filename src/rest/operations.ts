import { kinds } from '../model/kinds';
import { liveOperations } from './live-operations';
import type { Operation } from './operation';
import { resourceOperations, type RestOptions } from './resource-operations';
import { systemOperations } from './system-operations';

/** All operations of the REST API (docs/rest-contract.md, section 4.2). */
export function operations(options: RestOptions): readonly Operation[] {
  return [
    ...kinds.flatMap((kind) => resourceOperations(kind, options)),
    ...liveOperations(options.maxItemsPerPage),
    ...systemOperations(options.provider),
  ];
}
