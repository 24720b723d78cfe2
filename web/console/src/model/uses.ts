import { kindOf, type Kind, type Model } from './model';
import { shapeOf, type Schema } from './schema';

/** A way in which resources of a kind refer to a resource: the DIDs whose `target.agent` it is. */
export interface Use {
  readonly kind: Kind;
  /** The path in the conditions of that kind, such as `target.agent`. */
  readonly path: string;
}

/** How other resources refer to those of a kind. */
export function usesOf(model: Model, kind: Kind): readonly Use[] {
  return model.kinds.flatMap((other) =>
    pathsTo(model.schema, other, `${kind.name}Where`).map((path) => ({ kind: kindOf(model, other.name), path })),
  );
}

/** The paths of a kind's own links in its conditions. Connections lead the other way: to those that refer to it. */
function pathsTo(schema: Schema, from: Kind, where: string): readonly string[] {
  return fieldsOf(schema, `${from.name}Where`).flatMap(({ name, type }) => {
    const link = from.fields.find((field) => field.name === name && field.sort === 'link');
    if (!link) return [];
    if (link.kinds.length === 1) return type === where ? [name] : [];
    // A union has a condition for each of its kinds.
    return fieldsOf(schema, type).flatMap((inner) => (inner.type === where ? `${name}.${inner.name}` : []));
  });
}

function fieldsOf(schema: Schema, input: string): readonly { readonly name: string; readonly type: string }[] {
  return (schema.get(input)?.inputFields ?? []).map(({ name, type }) => ({ name, type: shapeOf(type).name }));
}

/** Returns the condition that a path leads to the resource. */
export function whereUses(path: string, ref: string): object {
  return path.split('.').reduceRight<object>((inner, name) => ({ [name]: inner }), { ref: { eq: ref } });
}
