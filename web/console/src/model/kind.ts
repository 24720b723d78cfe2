import { texts } from '../texts';
import type { InputField } from './input-field';
import type { Field } from './field';
import type { Schema } from './schema';

/** A kind of resource, as the graph declares it. */
export interface Kind {
  /** Name of the type, such as `DID`. */
  readonly name: string;
  /** The field of Query that lists it, such as `dids`. It is also the path of its pages. */
  readonly collection: string;
  /** The field of Query that reads one, such as `did`. */
  readonly single: string;
  readonly about: string;
  /** The fields that can be selected, in the order in which they are shown. */
  readonly fields: readonly Field[];
  /** The field that names a resource to people, such as `name` or `telUrl`. */
  readonly label: string;
  readonly create: readonly InputField[];
  readonly update: readonly InputField[];
  /** The values of the enum of sort orders. */
  readonly orders: readonly string[];
}

/** All kinds with the schema that they come from. */
export interface Model {
  readonly schema: Schema;
  readonly kinds: readonly Kind[];
}

/** The kind with this name or collection. Throws if there is none. */
export function kindOf({ kinds }: Model, name: string): Kind {
  const found = kinds.find((kind) => kind.name === name || kind.collection === name);
  if (!found) throw new Error(texts.kinds.unknown(name));
  return found;
}

/** Returns the value of the enum by which a list is sorted by this field; undefined if it cannot be. */
export function orderOf({ orders }: Kind, source: string): string | undefined {
  const wanted = source.replaceAll('.', '').toUpperCase();
  return orders.find((order) => order.replaceAll('_', '') === wanted);
}
