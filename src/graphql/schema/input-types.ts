import { memoized } from '../../limits/memoized';
import type { Format } from '../../model/format/format';
import { type Field, type Group, type Kind, withArticle } from '../../model/kind';
import { addInputField as add, declareInput, type InputClass } from './filter-types';
import { typeOf } from './object-types';

/** The input types of the mutations of a kind. */
interface Inputs {
  readonly create: InputClass;
  readonly update: InputClass;
}

const REF_ABOUT = 'Reference: 1 to 24 letters, digits, _ or -, unique within the kind. Generated if omitted.';

const groupInputs = new Map<object, InputClass>();

/** Returns the input types of a kind, with all fields that can be written, including secrets. */
export const inputsOf = memoized((kind: Kind): Inputs => ({
  create: inputType(`Create${kind.name}Input`, `A new ${kind.name}.`, kind, true),
  update: inputType(
    `Update${kind.name}Input`,
    `Changes to ${withArticle(kind.name)}. An omitted field keeps its value; null clears it.`,
    kind,
    false,
  ),
}));

function inputType(name: string, description: string, kind: Kind, creates: boolean): InputClass {
  const type = declareInput(name, description);
  if (creates) add(type, 'ref', () => String, REF_ABOUT, true);
  for (const field of kind.fields) if (field.keys.length === 1) addField(type, field, creates && field.required);
  for (const group of kind.groups) {
    const input = groupInput(group);
    add(type, group.name, () => input, group.about, true);
  }
  return type;
}

/** Created once, because kinds can share a group, and create and update use the same type. */
function groupInput({ class: of, about, fields }: Group): InputClass {
  const cached = groupInputs.get(of);
  if (cached) return cached;
  const type = declareInput(`${of.name}Input`, about);
  for (const field of fields) addField(type, field, false);
  groupInputs.set(of, type);
  return type;
}

/** The input type of the entries of a list. */
const entryInput = memoized(({ name, about, fields }: NonNullable<Format['entries']>): InputClass => {
  const type = declareInput(`${name}Input`, about);
  for (const field of fields) add(type, field.name, typeOf(field.format), field.about, !field.required);
  return type;
});

function addField(type: InputClass, field: Field, required: boolean): void {
  const { entries } = field.format;
  const of = entries ? () => [entryInput(entries)] : typeOf(field.format);
  add(type, field.keys.at(-1) ?? field.name, of, field.about, !required);
}
