import { Agent } from './agent';
import { compileKind } from './declare';
import { Domain } from './domain';
import { Gateway } from './gateway';
import type { Field, Kind, KindName } from './kind';
import { Did, TelephoneNumber } from './number';
import { Peer } from './peer';

/** Every kind there is: a seventh is a file and a line here. */
export const kinds: readonly Kind[] = [Gateway, Agent, Peer, Domain, Did, TelephoneNumber].map(compileKind);

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

/** The kind of that name. */
export function kindOf(name: KindName): Kind {
  const kind = byName.get(name);
  if (!kind) throw new Error(`${name} is not in kinds.ts`);
  return kind;
}

/** A field that refers to another kind, and the kind it stands in. */
export interface Referrer {
  readonly kind: Kind;
  readonly field: Field & { readonly refersTo: NonNullable<Field['refersTo']> };
}

/** The references that a kind holds. */
export function referencesOf(kind: Kind): readonly Referrer['field'][] {
  return kind.fields.filter((field): field is Referrer['field'] => field.refersTo !== undefined);
}

/** The references that others hold to a kind. */
export function referrersTo(kind: Kind): readonly Referrer[] {
  return kinds.flatMap((other) =>
    referencesOf(other)
      .filter((field) => field.refersTo.kind === kind.name)
      .map((field) => ({ kind: other, field })),
  );
}
