import { memoized } from '../limits/memoized';
import type { KindOptions, PropertyOptions } from './options';

/** The properties and groups that a class declares, without inherited ones. */
export interface Declarations {
  readonly properties: { readonly key: string; readonly options: PropertyOptions }[];
  readonly groups: { readonly key: string; readonly class: new () => object; readonly about: string }[];
}

const options = new Map<Class, KindOptions>();

type Class = new () => object;

/** Declares that a class is a kind. */
export function KindOf(of: KindOptions) {
  return (target: Class): void => {
    options.set(target, of);
  };
}

/** Declares a field of a kind. */
export function Property(of: PropertyOptions) {
  return (prototype: object, key: string): void => {
    declarationsOf(prototype).properties.push({ key, options: of });
  };
}

/** Declares a group of fields. `of` is the class that declares them. */
export function Fields(of: new () => object, about: string) {
  return (prototype: object, key: string): void => {
    declarationsOf(prototype).groups.push({ key, class: of, about });
  };
}

/** Returns the options of `@KindOf`. Throws for a class without it. */
export function optionsOf(target: Class): KindOptions {
  const found = options.get(target);
  if (!found) throw new Error(`${target.name} is not declared with @KindOf`);
  return found;
}

/** Returns the declarations of a class, without inherited ones. */
export const declarationsOf = memoized((_prototype: object): Declarations => ({ properties: [], groups: [] }));
