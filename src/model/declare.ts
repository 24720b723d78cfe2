import {
  API_VERSION,
  type ChildrenOptions,
  type Field,
  type Kind,
  type KindOptions,
  type PropertyOptions,
  type Resource,
} from './kind';

interface Declarations {
  readonly properties: { readonly key: string; readonly options: PropertyOptions }[];
  readonly groups: { readonly key: string; readonly class: new () => object; readonly about: string }[];
  readonly children: { readonly key: string; readonly options: ChildrenOptions }[];
}

const declared = new Map<object, Declarations>();
const kinds = new Map<object, KindOptions>();

/** Declares a field of a kind. */
export function Property(options: PropertyOptions) {
  return (prototype: object, key: string): void => {
    declarationsOf(prototype).properties.push({ key, options });
  };
}

/** Declares an object of fields: the class has properties of its own. */
export function Fields(of: new () => object, about: string) {
  return (prototype: object, key: string): void => {
    declarationsOf(prototype).groups.push({ key, class: of, about });
  };
}

/** Declares a link to the resources that refer to this kind. */
export function Children(options: ChildrenOptions) {
  return (prototype: object, key: string): void => {
    declarationsOf(prototype).children.push({ key, options });
  };
}

/** Declares a class to be a kind. */
export function KindOf(options: KindOptions) {
  return (target: new () => Resource): void => {
    kinds.set(target, options);
  };
}

/** Compiles a declared class. */
export function compileKind(target: new () => Resource): Kind {
  const options = kinds.get(target);
  if (!options) throw new Error(`${target.name} is not declared with @KindOf`);
  Object.assign(target.prototype, { kind: options.name, apiVersion: API_VERSION });
  const declarations = lineage(target.prototype as object).map(declarationsOf);
  const groups = declarations
    .flatMap((each) => each.groups)
    .map(({ key, class: of, about }) => ({
      name: key,
      class: of,
      about,
      fields: declarationsOf(of.prototype as object).properties.map((each) => toField([key, each.key], each.options)),
    }));
  const own = declarations.flatMap((each) =>
    each.properties.map(({ key, options: property }) => toField([key], property)),
  );
  return {
    ...options,
    class: target,
    singular: options.name.toLowerCase(),
    fields: [...own, ...groups.flatMap((group) => group.fields)],
    groups,
    children: declarations.flatMap((each) => each.children.map(({ key, options: child }) => ({ ...child, name: key }))),
  };
}

function toField(keys: readonly string[], options: PropertyOptions): Field {
  const column = keys.map((key) => key.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)).join('_');
  return {
    ...options,
    name: keys.join('.'),
    keys,
    pathKeys: options.path.split('.'),
    required: keys.length === 1 && options.required === true,
    requiredInGroup: keys.length > 1 && options.required === true,
    column: options.refersTo?.column ?? column,
  };
}

function declarationsOf(prototype: object): Declarations {
  const known = declared.get(prototype);
  if (known) return known;
  const made: Declarations = { properties: [], groups: [], children: [] };
  declared.set(prototype, made);
  return made;
}

/** The prototypes from the base class down, so that inherited fields come first. */
function lineage(prototype: object): readonly object[] {
  const parent: unknown = Object.getPrototypeOf(prototype);
  return typeof parent === 'object' && parent !== null && parent !== Object.prototype
    ? [...lineage(parent), prototype]
    : [prototype];
}
