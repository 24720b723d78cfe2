import { request } from '../graph/request';
import { numberIn } from '../../../../src/spelling/written';
import { kindOf, type Kind, type Model } from '../model/model';
import { beginningWith, whereOf } from './queries';

/** A resource that a search has found. */
export interface Match {
  readonly kind: Kind;
  readonly ref: string;
  readonly label: string;
}

interface Found extends Omit<Match, 'kind'> {
  readonly __typename: string;
}

/** The resources with a text, or a number in any spelling, of all kinds, as the server searches them. */
export async function searchResources({ kinds }: Model, text: string, signal: AbortSignal): Promise<readonly Match[]> {
  const labels = kinds.map(({ name, label }) => `... on ${name} { label: ${label} }`).join(' ');
  const { search } = await request<{ search: readonly Found[] }>(
    `query Search($text: String!) { search(text: $text) { __typename ref ${labels} } }`,
    { text },
    { signal },
  );
  return search.flatMap(({ __typename, ref, label }) => {
    const kind = kinds.find(({ name }) => name === __typename);
    return kind ? [{ kind, ref, label }] : [];
  });
}

/** The first resources of a kind whose texts contain this one. */
export async function findResources(
  model: Model,
  name: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly Omit<Match, 'kind'>[]> {
  const kind = kindOf(model, name);
  // Of a million numbers, those that begin with the digits are found with an index.
  const where =
    kind.label === 'telUrl'
      ? { or: beginningWith((numberIn(text)?.number ?? text).replace(/^\+/, '')) }
      : whereOf(model, kind, { q: text }, [text]);
  const { list } = await request<{ list: { nodes: readonly { ref: string; label: string }[] } }>(
    `query Find($where: ${name}Where) {
      list: ${kind.collection}(first: 10, where: $where) { nodes { ref label: ${kind.label} } }
    }`,
    { where },
    { signal },
  );
  return list.nodes.map(({ ref, label }) => ({ ref, label: label.replace(/^tel:/, '') }));
}
