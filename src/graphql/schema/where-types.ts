import { Gateway } from '../../model/gateway';
import { type Field, type Group, type Kind, type Lookup, withArticle } from '../../model/kind';
import { linksOf } from '../../resources/read/links';
import { registers } from '../../resources/read/registered';
import {
  addInputField as add,
  declareInput,
  filter,
  filterOf,
  healthFilter,
  textFilter,
  timeFilter,
  type Conditions,
  type InputClass,
} from './filter-types';

const REGISTERED = 'Whether the resource is currently registered.';

const COVERS = 'The number itself, such as `+4930100123`, or the range that contains it. Uses an index.';

const kindFilters = new Map<Kind, InputClass>();
const groupFilters = new Map<object, InputClass>();

/**
 * Returns the typed filter for lists of a kind: conditions on its fields and links, and operators that combine
 * conditions.
 */
export function whereOf(kind: Kind): InputClass {
  const cached = kindFilters.get(kind);
  if (cached) return cached;
  const type = declareInput(`${kind.name}Where`, `Conditions on ${withArticle(kind.name)}; all must hold.`);
  // Stored before the fields are added, because kinds refer to each other.
  kindFilters.set(kind, type);
  add(type, 'and', () => [type], 'All of these conditions hold.');
  add(type, 'or', () => [type], 'At least one of these conditions holds.');
  add(type, 'not', () => type, 'These conditions do not hold.');
  add(type, 'ref', () => textFilter(), 'Reference of the resource.');
  add(type, 'createdOn', () => timeFilter(), 'When the resource was created.');
  add(type, 'modifiedOn', () => timeFilter(), 'When the resource was last changed.');
  for (const field of kind.fields) if (field.keys.length === 1) addField(type, field);
  for (const group of kind.groups) add(type, group.name, () => groupWhere(group), group.about);
  for (const { refersTo } of kind.references)
    if (!refersTo.through) add(type, refersTo.link, () => whereOf(refersTo.target), refersTo.linkAbout);
  for (const { name, shape, target, about } of linksOf(kind))
    if (shape !== 'one') add(type, name, () => whereOf(target), `${about} At least one must meet these conditions.`);
  for (const lookup of kind.lookups) add(type, lookup.name, () => lookupWhere(lookup), lookup.whereAbout);
  if (registers(kind)) add(type, 'registered', () => Boolean, REGISTERED);
  if (kind.ranges) add(type, 'covers', () => String, COVERS);
  if (kind.class === Gateway) {
    add(type, 'health', healthFilter, 'Whether the host responds to OPTIONS.');
    add(
      type,
      'destinationHealth',
      healthFilter,
      'Whether destinations respond to OPTIONS. At least one that was checked must meet these conditions.',
    );
  }
  return type;
}

/** Created once, because kinds can share a group. */
function groupWhere({ class: of, about, fields }: Group): InputClass {
  const cached = groupFilters.get(of);
  if (cached) return cached;
  const type = declareInput(`${of.name}Where`, about);
  groupFilters.set(of, type);
  for (const field of fields) addField(type, field);
  return type;
}

function addField(type: InputClass, field: Field): void {
  if (field.secret || field.refersTo?.through) return;
  add(type, field.keys.at(-1) ?? field.name, filterOf(field.format), field.about);
}

/** Conditions on the target of a lookup, with a member for each kind of target. */
function lookupWhere({ type, to }: Lookup): InputClass {
  const conditions: Record<string, Conditions[string]> = {
    exists: [() => Boolean, `Whether there is ${[...new Set(to.map(({ kind }) => withArticle(kind)))].join(' or ')}.`],
  };
  if (to.some(({ target }) => registers(target))) conditions['registered'] = [() => Boolean, REGISTERED];
  for (const { target } of to)
    conditions[target.singular] = [
      () => whereOf(target),
      `The target is ${withArticle(target.name)} that meets these conditions.`,
    ];
  return filter(`${type.name}Where`, type.whereAbout, conditions);
}
