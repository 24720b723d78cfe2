import { kinds } from '../model/kinds';
import { liveOperations } from './live-operations';
import type { Operation } from './operation';
import { resourceOperations, type RestOptions } from './resource-operations';
import { systemOperations } from './system-operations';

/** The operations of SPECIFICATION.md 4.2 and of LEGACY.md: the whole surface that Routr v1 had. */
export function operations(options: RestOptions): readonly Operation[] {
  return [
    ...kinds.flatMap((kind) => resourceOperations(kind, options)),
    ...liveOperations(options.maxItemsPerPage),
    ...systemOperations(options.provider),
  ];
}
