import type { Field } from '../model/fields';
import { kindOf, type Kind, type Model } from '../model/model';

/** The selection of a kind's fields; without live state unless `withLive`, because it costs more. */
export function selectionOf(model: Model, { fields }: Kind, withLive: boolean): string {
  return ['ref', ...fields.flatMap((field) => selected(model, field, withLive) ?? [])].join(' ');
}

function selected(model: Model, { name, sort, kinds, fields }: Field, withLive: boolean): string | undefined {
  switch (sort) {
    case 'link':
      return `${name} { __typename ${kinds.map((kind) => `... on ${kind} { ${namesOf(model, kind)} }`).join(' ')} }`;
    case 'group':
      return `${name} { ${fields.map((field) => field.name).join(' ')} }`;
    case 'live':
      return withLive ? `${name} { ${fields.map((field) => field.name).join(' ')} }` : undefined;
    default:
      return name;
  }
}

/** What identifies a resource: for people, and in the inputs of others. */
function namesOf(model: Model, kind: string): string {
  const { label } = kindOf(model, kind);
  const keys = model.kinds.flatMap(({ create }) =>
    create.flatMap(({ link }) => (link?.kind === kind && link.by !== 'ref' ? link.by : [])),
  );
  return [...new Set(['ref', label, ...keys])].join(' ');
}
