import { request } from '../graph/request';
import type { Kind, Model } from '../model/model';

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
