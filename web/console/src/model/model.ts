import { use } from 'react';

import { isTemporary } from '../graph/graph-error';
import { texts } from '../texts';
import { fieldOf, inputFieldOf, lower, type Field, type InputField } from './fields';
import { readSchema, shapeOf, type Schema } from './schema';

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

/** The link that a field sets whose values are references: `gatewayRef` sets `gateway`, and `numberRefs` sets `numbers`. */
export function linkSetBy({ update }: Kind, field: string): InputField['link'] {
  const [name, inner] = field.split('.');
  const input = update.find((each) => each.name === name);
  const link = (inner === undefined ? input : input?.fields.find((each) => each.name === inner))?.link;
  return link?.by === 'ref' ? link : undefined;
}

/** The kind to which a field leads whose values are references. */
export function linkedKind(kind: Kind, field: string): string | undefined {
  return linkSetBy(kind, field)?.kind;
}

/** What people call a field: `gatewayRef`, whose values are shown as names, is `gateway`. */
export function spokenField(kind: Kind | undefined, field: string): string {
  return (kind && linkSetBy(kind, field)?.field) ?? field;
}

let loading: Promise<Model> | undefined;

/** The model, which is read once for a page. */
export function loadModel(): Promise<Model> {
  loading ??= readSchema()
    .then(modelOf)
    .catch(async (error: unknown) => {
      // Kept until the page is reloaded: React renders again before it shows an error, and would read again for ever.
      if (!isTemporary(error)) throw error;
      // The server may be starting.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      loading = undefined;
      return loadModel();
    });
  return loading;
}

/** The model, in a component. The component waits until it is read. */
export function useModel(): Model {
  return use(loadModel());
}

/** The kind with this name or collection, in a component. */
export function useKind(name: string): Kind {
  return kindOf(useModel(), name);
}

/** Derives the kinds from the schema, so that a new kind has its pages. */
function modelOf(schema: Schema): Model {
  const names = (schema.get('ResourceKind')?.enumValues ?? []).map(({ name }) => name);
  return { schema, kinds: names.map((name) => deriveKind(schema, names, name)) };
}

function deriveKind(schema: Schema, names: readonly string[], name: string): Kind {
  const type = schema.get(name);
  const queries = schema.get('Query')?.fields ?? [];
  const collection = queries.find((field) => shapeOf(field.type).name === `${name}Connection`)?.name ?? lower(name);
  const single = queries.find((field) => shapeOf(field.type).name === name)?.name ?? lower(name);
  const read = (type?.fields ?? []).flatMap((field) => fieldOf(schema, names, field) ?? []);
  const inputs = (change: string): Kind['create'] =>
    (schema.get(`${change}${name}Input`)?.inputFields ?? []).map((value) => inputFieldOf(schema, read, value));
  const create = inputs('Create').toSorted((one, other) => rank(one) - rank(other));
  const rankOf = (field: string): number => create.findIndex((each) => each.name === field);
  // What a new resource must have cannot be cleared later.
  const isRequired = (field: string): boolean => create.some((each) => each.name === field && each.isRequired);
  const update = inputs('Update')
    .map((each) => ({ ...each, isRequired: isRequired(each.name) }))
    .toSorted((one, other) => rankOf(one.name) - rankOf(other.name));
  const required = create.filter((each) => each.isRequired && each.sort === 'text' && !each.name.endsWith('Link'));
  const label = required[0]?.name ?? 'ref';
  return {
    name,
    collection,
    single,
    about: type?.description ?? '',
    fields: shown(read, label),
    label,
    create: labelFirst(create, label),
    update: labelFirst(update, label),
    orders: (schema.get(`${name}OrderField`)?.enumValues ?? []).map((value) => value.name),
  };
}

/** The fields of a form, with the one that names the resource at the beginning. */
function labelFirst(fields: Kind['create'], label: string): Kind['create'] {
  return fields.toSorted((one, other) => Number(other.name === label) - Number(one.name === label));
}

/** The order of a form: the name, what is required, what is not, groups, and the reference. */
function rank({ name, isRequired, sort }: Kind['create'][number]): number {
  if (name === 'name') return 0;
  if (name === 'ref') return 4;
  if (sort === 'group') return 3;
  return isRequired ? 1 : 2;
}

// The page of a gateway draws its availability.
const HIDDEN = ['apiVersion', 'availability', 'id', 'kind'];
const LAST = ['labels', 'note', 'ref', 'createdOn', 'modifiedOn'];

/** The fields in the order in which they are shown: the name, values, links, groups, live state and the rest. */
function shown(fields: readonly Field[], label: string): readonly Field[] {
  const place = ({ name, sort }: Field): number => {
    if (name === label) return 0;
    if (LAST.includes(name)) return 5 + LAST.indexOf(name);
    if (sort === 'live') return 4;
    return sort === 'group' ? 3 : sort === 'link' ? 2 : 1;
  };
  // `gateway` shows what `gatewayRef` holds.
  const links = fields.filter(({ sort }) => sort === 'link').map(({ name }) => `${name}Ref`);
  return fields
    .filter(({ name }) => !HIDDEN.includes(name) && !links.includes(name))
    .toSorted((one, other) => place(one) - place(other));
}
