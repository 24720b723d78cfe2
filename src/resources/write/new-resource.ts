import type { Issue } from '../../errors';
import type { Kind } from '../../model/kind';
import type { ChangeOptions } from './change';
import type { Times } from './creation';
import { storedText } from '../read/extra';
import { idempotencyKeyOf, type GivenKey, type IdempotencyKey } from './idempotency-key';
import { changesOf, merge, refOf, type Input } from './input';

/** Data that a transport passes in addition to the input. */
export interface WriteOptions extends ChangeOptions {
  /** The key that the caller sent to make a retry of the create safe. */
  readonly key?: GivenKey | undefined;
  /** Errors found while the document was parsed. They are reported together with those of the input. */
  readonly issues?: readonly Issue[];
}

/** Validates the input of a create. `given` is the ref in the input, if there is one. Throws InvalidInputError. */
export function newResource(kind: Kind, input: Input, { extra = null, issues = [] }: WriteOptions) {
  const mistakes = [...issues];
  const given = refOf(input, mistakes);
  const values = merge(kind, changesOf(kind, input, true, mistakes));
  return { given, values, extra: extra && storedText(extra) };
}

/** Returns the key of a create of these entries; undefined without one. */
export function keyOf(
  kind: Kind,
  entries: readonly (WriteOptions & { readonly input: Input })[],
  given = entries[0]?.key,
): IdempotencyKey | undefined {
  return given && idempotencyKeyOf(given, kind.name, ...entries.map(({ input, extra = null }) => [input, extra]));
}

/** The times of a new resource. */
export function now(): Times {
  const createdOn = Date.now();
  return { createdOn, modifiedOn: createdOn };
}
