import { isDeepStrictEqual } from 'node:util';

import { newFingerprint, type Details, type State } from '../../changes/details';
import type { Value } from '../../model/format/format';
import type { Kind, Resource } from '../../model/kind';
import { extraOf, type Extra } from '../read/extra';
import { withoutSecrets } from '../read/other-members';
import { valuesOf } from '../read/row';
import type { Values } from './input';
import type { Written } from './written';

/** The whole state of a resource, for the history. */
export interface WholeState extends Written {
  /** The members of the document that the model does not define, as text (see `storedText`). */
  readonly extra: string | null;
}

/** The members of a state that are not fields. No field has such a name, because every table has these columns. */
export const OTHERS = ['createdOn', 'modifiedOn', 'extra'] as const;

/** The state of a resource that was read as a whole. */
export function wholeStateOf(kind: Kind, stored: Resource): WholeState {
  const { ref, createdOn, modifiedOn } = stored;
  return { ref, values: valuesOf(kind, stored), createdOn, modifiedOn, extra: extraOf(stored) ?? null };
}

/** What an update did: the fields that changed. The fields `anyway` are included even if they did not change. */
export function updateOf(
  kind: Kind,
  before: WholeState,
  after: WholeState,
  anyway: ReadonlySet<string> = new Set(),
): Details {
  const from: Record<string, unknown> = {};
  const to: Record<string, unknown> = {};
  for (const { name, secret } of kind.fields) {
    const [old, now] = [before.values.get(name), after.values.get(name)];
    if (isDeepStrictEqual(old, now) && !anyway.has(name)) continue;
    if (old !== undefined) from[name] = secret ? newFingerprint() : old;
    if (now !== undefined) to[name] = secret ? newFingerprint() : now;
  }
  if (before.extra !== after.extra) {
    from['extra'] = shownExtra(kind, before.extra);
    to['extra'] = shownExtra(kind, after.extra);
  }
  from['modifiedOn'] = before.modifiedOn;
  to['modifiedOn'] = after.modifiedOn;
  return { before: from, after: to };
}

/** Returns all fields of a resource that have a value, and its other members. */
export function stateOf(kind: Kind, { values, createdOn, modifiedOn, extra }: WholeState): State {
  const state: Record<string, unknown> = {};
  for (const { name, secret } of kind.fields) {
    const value = values.get(name);
    if (value !== undefined) state[name] = secret ? newFingerprint() : value;
  }
  state['createdOn'] = createdOn;
  state['modifiedOn'] = modifiedOn;
  if (extra !== null) state['extra'] = shownExtra(kind, extra);
  return state;
}

/** The values in a state of the history. Of a secret, they only have that there is one. */
export function valuesIn({ fields }: Kind, state: State): Values {
  return new Map(
    fields.flatMap(({ name }): [string, Value][] => {
      const value = state[name];
      return value === undefined || value === null ? [] : [[name, value as Value]]; // as a write stored it
    }),
  );
}

/** The other members as the history keeps them, as text: without those that may be secrets. */
export function shownExtra(kind: Kind, extra: string | null): string | null {
  if (extra === null) return null;
  return JSON.stringify(withoutSecrets(kind, JSON.parse(extra) as Extra)); // as `storedText` wrote it
}
