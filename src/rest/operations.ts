import { liveOperations } from './live-operations';
import type { Operation } from './operation';
import type { RestOptions } from './options';
import { resourceOperations } from './resource-operations';
import { systemOperations } from './system-operations';

/** All operations of the REST API (docs/rest-contract.md, section 4.2). */
export function operations(options: RestOptions): readonly Operation[] {
  return [
    ...options.kinds.flatMap((kind) => resourceOperations(kind, options)),
    ...liveOperations(options.maxItemsPerPage),
    ...systemOperations(options.provider),
  ];
}
