import { declarationsOf, optionsOf, type Declarations } from './declare';
import {
  API_VERSION,
  type Field,
  type Group,
  type Kind,
  type KindClass,
  type Lookup,
  type LookupSource,
  type Reference,
  type ReferenceField,
  type Referrer,
} from './kind';
import type { LookupOptions, PropertyOptions, ReferenceOptions } from './options';

/** A kind during the compilation of the model. Compiling a kind adds its links to the kinds that they lead to. */
interface CompiledKind extends Kind {
  readonly referrers: Referrer[];
  readonly lookedUpBy: LookupSource[];
}

type FindKind = (name: string) => Kind;

/**
 * Compiles a declared class. `kindOf` finds the kinds that the class refers to, and is called only after all kinds are
 * compiled.
 */
export function compileKind(target: KindClass, kindOf: FindKind): CompiledKind {
  const options = optionsOf(target);
  Object.assign(target.prototype, { kind: options.name, apiVersion: API_VERSION });
  // What all kinds have comes last.
  const [common, ...declarations] = lineage(target.prototype as object).map(declarationsOf);
  const groups = declarations.flatMap((each) =>
    each.groups.map((group) => groupOf(group.key, group.class, group.about, kindOf)),
  );
  const fieldsOf = ({ properties }: Pick<Declarations, 'properties'>): readonly Field[] =>
    properties.map(({ key, options: property }) => fieldOf([key], property, kindOf));
  const fields = [
    ...declarations.flatMap(fieldsOf),
    ...groups.flatMap((group) => group.fields),
    ...fieldsOf(common ?? { properties: [] }),
  ];
  return {
    ...options,
    class: target,
    singular: options.name.toLowerCase(),
    fields,
    groups,
    references: fields.filter((field): field is ReferenceField => field.refersTo !== undefined),
    lookups: (options.lookups ?? []).map((lookup) => lookupOf(lookup, kindOf)),
    referrers: [],
    lookedUpBy: [],
  };
}

function groupOf(name: string, of: new () => object, about: string, kindOf: FindKind): Group {
  const { properties } = declarationsOf(of.prototype as object);
  return {
    name,
    class: of,
    about,
    fields: properties.map(({ key, options }) => fieldOf([name, key], options, kindOf)),
  };
}

function fieldOf(keys: readonly string[], { refersTo, ...options }: PropertyOptions, kindOf: FindKind): Field {
  const column = keys.map((key) => key.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)).join('_');
  return {
    ...options,
    name: keys.join('.'),
    keys,
    pathKeys: options.path.split('.'),
    required: keys.length === 1 && options.required === true,
    requiredInGroup: keys.length > 1 && options.required === true,
    column: refersTo?.column ?? column,
    ...(refersTo && { refersTo: referenceOf(refersTo, kindOf) }),
  };
}

// Kinds may be declared in any order, so targets are looked up on first use.

function referenceOf(options: ReferenceOptions, kindOf: FindKind): Reference {
  return {
    ...options,
    get target() {
      return kindOf(options.kind);
    },
    get targetField() {
      return this.target.fields.find(({ name }) => name === options.by);
    },
    get targetColumn() {
      return this.targetField?.column ?? 'ref';
    },
  };
}

function lookupOf(options: LookupOptions, kindOf: FindKind): Lookup {
  return {
    ...options,
    to: options.to.map((to) => ({
      ...to,
      get target() {
        return kindOf(to.kind);
      },
    })),
  };
}

/** The prototypes from the base class down, so that inherited fields come first. */
function lineage(prototype: object): readonly object[] {
  const parent: unknown = Object.getPrototypeOf(prototype);
  return typeof parent === 'object' && parent !== null && parent !== Object.prototype
    ? [...lineage(parent), prototype]
    : [prototype];
}
