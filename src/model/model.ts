import { checkKind } from './check';
import { compileKind } from './compile';
import type { Kind, KindClass } from './kind';

/** The kinds of a server. */
export interface Model {
  readonly kinds: readonly Kind[];
  /** The same kinds, sorted so that each follows the kinds that it refers to. */
  readonly inReferenceOrder: readonly Kind[];
  /** Returns the kind with that name, if there is one. */
  readonly find: (name: string) => Kind | undefined;
  /** Returns the kind with that name. Throws if there is none. */
  readonly kindOf: (name: string) => Kind;
}

const models: Model[] = [];

/** Compiles kinds. Returns the same model for the same classes, so that data cached per kind is reused. */
export function modelOf(classes: readonly KindClass[]): Model {
  const known = models.find(
    ({ kinds }) => kinds.length === classes.length && kinds.every((kind, index) => kind.class === classes[index]),
  );
  if (known) return known;
  const made = compile(classes);
  models.push(made);
  return made;
}

function compile(classes: readonly KindClass[]): Model {
  const kindOf = (name: string): Kind => {
    const kind = byName.get(name);
    if (!kind) throw new Error(`there is no kind ${name}; the kinds are ${[...byName.keys()].join(', ')}`);
    return kind;
  };
  const kinds = classes.map((each) => compileKind(each, kindOf));
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  kinds.forEach((kind, index) => checkKind(kind, kinds.slice(0, index)));
  for (const kind of kinds) {
    for (const field of kind.references) byName.get(field.refersTo.kind)?.referrers.push({ kind, field });
    for (const lookup of kind.lookups)
      for (const to of lookup.to) byName.get(to.kind)?.lookedUpBy.push({ kind, lookup, to });
  }
  return { kinds, inReferenceOrder: inReferenceOrder(kinds), find: (name) => byName.get(name), kindOf };
}

/**
 * Sorts kinds by their references. Throws if references form a cycle, because an import could then create none of
 * their resources first.
 */
function inReferenceOrder(kinds: readonly Kind[]): readonly Kind[] {
  const ordered = new Set<Kind>();
  const add = (kind: Kind, path: readonly Kind[]): void => {
    if (ordered.has(kind)) return;
    const further = [...path, kind];
    if (path.includes(kind))
      throw new Error(`references form a cycle: ${further.map(({ name }) => name).join(' -> ')}`);
    for (const { refersTo } of kind.references) add(refersTo.target, further);
    ordered.add(kind);
  };
  for (const kind of kinds) add(kind, []);
  return [...ordered];
}
