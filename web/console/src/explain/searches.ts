import type { Kind, Model } from '../model/model';
import { shapeOf } from '../model/schema';

/** A resource that a search found, with the fields that the search selects. */
export interface FoundNode {
  readonly ref: string;
  readonly domains?: readonly { readonly domainUri: string }[];
  readonly [field: string]: unknown;
}

/** The result of a search. */
export interface Found {
  readonly nodes: readonly FoundNode[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** How to search for the resources of a kind. */
export interface Search {
  readonly kind: Kind;
  readonly query: string;
  /** What identifies a resource besides its name. An address of record becomes a link. */
  readonly detail: (node: FoundNode) => readonly string[];
}

/** Returns the search of a kind: in its texts, such as name, user name, host or number, but not in references. */
export function searchOf({ schema }: Model, kind: Kind): Search {
  const { name, collection, label, create, fields } = kind;
  const conditions = (schema.get(`${name}Where`)?.inputFields ?? [])
    .filter(({ name: field, type }) => shapeOf(type).name === 'TextFilter' && !/ref$/i.test(field))
    .map(({ name: field }) => `{ ${field}: { containsIgnoreCase: $text } }`);
  const details = create.filter((each) => each.isRequired && each.sort === 'text' && each.name !== label);
  const hasAddresses = fields.some(({ name: field, isList }) => field === 'domains' && isList);
  const selected = ['ref', label, ...details.map((each) => each.name), hasAddresses ? 'domains { domainUri }' : ''];
  return {
    kind,
    query: `query Find($text: String!) {
      found: ${collection}(first: 10, where: { or: [${conditions.join(', ')}] }) {
        nodes { ${selected.join(' ')} } pageInfo { hasNextPage }
      }
    }`,
    detail: (node) => {
      const texts = details.map((each) => String(node[each.name]));
      // An agent has an address of record in each of its domains.
      return node.domains ? node.domains.map(({ domainUri }) => `${texts.join(' ')}@${domainUri}`) : texts;
    },
  };
}
