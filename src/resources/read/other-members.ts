import { isDeepStrictEqual } from 'node:util';

import { memoized } from '../../limits/memoized';
import type { Kind } from '../../model/kind';
import { isSecretName } from '../../model/secret-name';
import { isMembers } from '../documents/members';
import type { Extra } from './extra';

/** What a document shows of the members that the model does not know. */
export type Shown = 'all' | 'no secrets' | 'named';

/** The members that clients of Routr v1 name (docs/legacy-clients.md, "Resources"), and that viewers see, too. */
const NAMED: readonly (readonly [string, string])[] = [
  ['metadata', 'accessKeyId'],
  ['spec', 'ex_maxContact'],
];

/** Whether viewers see the value at a path outside the model, unless it is an object or a list. */
export function isNamed([parent, name, ...below]: readonly unknown[]): boolean {
  return below.length === 0 && NAMED.some((named) => named[0] === parent && named[1] === name);
}

/** Returns what is shown of the members that the model does not know. */
export function shownMembers(kind: Kind, members: Extra, shown: Shown): Extra {
  if (shown === 'all') return members;
  return shown === 'named' ? namedMembers(members) : withoutSecrets(kind, members);
}

function namedMembers(members: Extra): Extra {
  const found: Record<string, Record<string, unknown>> = {};
  for (const [parent, name] of NAMED) {
    const siblings = members[parent];
    const value = isMembers(siblings) ? siblings[name] : undefined;
    if (value !== undefined && (typeof value !== 'object' || value === null)) (found[parent] ??= {})[name] = value;
  }
  return found;
}

/**
 * Removes members whose names are like that of a secret, at any depth. Objects in the model whose names are, such as
 * `spec.credentials`, are kept without the secrets in them. A list that contains a secret is removed as a whole.
 * Because PUT replaces lists, a client that sends back a list without its secrets would delete the secrets.
 */
export function withoutSecrets(kind: Kind, members: Extra): Extra {
  return withoutSecretNames(members, groupsOf(kind), '');
}

/** Whether one of the members is named like a secret. */
export function hasSecretNames(kind: Kind, members: Extra): boolean {
  return !isDeepStrictEqual(withoutSecrets(kind, members), members);
}

/** Adds the secrets of stored members to members without secrets. */
export function withSecretsOf(kind: Kind, stored: Extra, members: Extra): Extra {
  return addMembers(stored, withoutSecrets(kind, stored), members);
}

/** The paths of the objects in the model. */
const groupsOf = memoized(
  ({ fields }: Kind) =>
    new Set(
      fields.flatMap(({ pathKeys }) => pathKeys.slice(0, -1).map((_, end) => pathKeys.slice(0, end + 1).join('.'))),
    ),
);

function withoutSecretNames(members: Extra, groups: ReadonlySet<string>, prefix: string): Extra {
  const kept = Object.entries(members).flatMap(([name, value]) => {
    const path = prefix + name;
    if (isSecretName(name) && !(groups.has(path) && isMembers(value))) return [];
    if (Array.isArray(value) && value.some(holdsSecret)) return [];
    return [[name, isMembers(value) ? withoutSecretNames(value, groups, `${path}.`) : value] as const];
  });
  return Object.fromEntries(kept);
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isMembers(value) && Object.entries(value).some(([name, each]) => isSecretName(name) || holdsSecret(each));
}

function addMembers(stored: Extra, visible: Extra, members: Extra): Extra {
  const more = Object.entries(stored).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(visible, name)) return [[name, value]];
    const [below, into] = [visible[name], Object.hasOwn(members, name) ? members[name] : undefined];
    return isMembers(value) && isMembers(below) && isMembers(into) ? [[name, addMembers(value, below, into)]] : [];
  });
  return { ...members, ...Object.fromEntries(more) };
}
