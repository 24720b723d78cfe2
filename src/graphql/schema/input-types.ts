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
const kindInputs = new Map<Kind, Inputs>();

/** Returns the input types of a kind, with all fields that can be written, including secrets. */
export function inputsOf(kind: Kind): Inputs {
  const cached = kindInputs.get(kind) ?? makeInputs(kind);
  kindInputs.set(kind, cached);
  return cached;
}

function makeInputs(kind: Kind): Inputs {
  return {
    create: inputType(`Create${kind.name}Input`, `A new ${kind.name}.`, kind, true),
    update: inputType(
      `Update${kind.name}Input`,
      `Changes to ${withArticle(kind.name)}. An omitted field keeps its value; null clears it.`,
      kind,
      false,
    ),
  };
}

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

const entryInputs = new Map<string, InputClass>();

/** The input type of the entries of a list, as a list. */
function entryInput({ name, about, fields }: NonNullable<Format['entries']>): ReturnType<typeof typeOf> {
  const type = entryInputs.get(name) ?? declareInput(`${name}Input`, about);
  if (!entryInputs.has(name))
    for (const field of fields) add(type, field.name, typeOf(field.format), field.about, !field.required);
  entryInputs.set(name, type);
  return () => [type];
}

function addField(type: InputClass, field: Field, required: boolean): void {
  const of = field.format.entries ? entryInput(field.format.entries) : typeOf(field.format);
  add(type, field.keys.at(-1) ?? field.name, of, field.about, !required);
}
