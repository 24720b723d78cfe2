import { ConflictError, InvalidInputError } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Condition } from '../lists/list-query';
import type { Identity, ResourceReader } from '../read/resource-reader';
import { isRef } from '../write/input';

/** The maximum number of resources that one request can change: as many as one request can revert. */
export const MAX_SELECTED = 25_000;
// Refs per statement.
const BATCH = 1000;

/** Selects the resources with these refs, or all that match a condition. With both, those that meet both. */
interface Selecting {
  readonly refs?: readonly string[] | undefined;
  readonly condition?: Condition | undefined;
}

/**
 * Reads what identifies the selected resources. `expected` is the number that the caller expects; `charge` receives the
 * number of rows that were read. Throws InvalidInputError if more are selected or expected than one request can change,
 * and ConflictError if that is not what the caller expects.
 */
export async function selectedBy(
  reader: ResourceReader,
  kind: Kind,
  { refs, condition }: Selecting,
  charge: (rows: number) => void,
  expected?: number,
): Promise<readonly Identity[]> {
  if (expected !== undefined && expected > MAX_SELECTED)
    throw InvalidInputError.of('expectedCount', `${String(expected)} is more than ${String(MAX_SELECTED)}`);
  const found = refs
    ? await among(reader, kind, [...new Set(refs)].filter(isRef), condition)
    : await reader.identities(kind, condition, { limit: MAX_SELECTED + 1 });
  charge(found.length);
  if (found.length <= MAX_SELECTED) return found;
  const count = refs ? found.length : await reader.count(kind, { condition });
  if (expected !== undefined) throw unexpectedCount(kind, count, expected);
  const message = `selects ${String(count)} ${kind.name} resources; one request can change ${String(MAX_SELECTED)}`;
  throw InvalidInputError.of(refs ? 'refs' : 'where', message);
}

/**
 * Throws ConflictError unless as many resources as expected are chosen, and all of them are left: none was changed by another
 * request since.
 */
export function assertExpected(
  kind: Kind,
  { expected, chosen, left }: Readonly<Record<'expected' | 'chosen' | 'left', number>>,
): void {
  if (chosen !== expected) throw unexpectedCount(kind, chosen, expected);
  const changed = chosen - left;
  if (changed > 0) throw unexpected(expected, `${String(changed)} of them changed meanwhile: try again`);
}

function unexpectedCount({ name }: Kind, count: number, expected: number): ConflictError {
  const are = count === 1 ? `resource is` : `resources are`;
  return unexpected(expected, `${String(count)} ${name} ${are} selected`);
}

function unexpected(expected: number, found: string): ConflictError {
  const message = `is ${String(expected)}, but ${found}`;
  return new ConflictError(`expectedCount ${message}; nothing was changed`, [
    { field: 'expectedCount', path: 'expectedCount', message },
  ]);
}

async function among(
  reader: ResourceReader,
  kind: Kind,
  refs: readonly string[],
  condition: Condition | undefined,
): Promise<readonly Identity[]> {
  const found: Identity[] = [];
  for (let start = 0; start < refs.length; start += BATCH)
    found.push(...(await reader.identities(kind, condition, { refs: refs.slice(start, start + BATCH) })));
  return found;
}
