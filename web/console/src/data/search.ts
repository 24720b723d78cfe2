import { questionOf } from '../explain/question';
import { request } from '../graph/request';
import { valueFor } from '../graph/spelling';
import { numberIn } from '../../../../src/spelling/written';
import { kindOf, type Kind, type Model } from '../model/model';
import { beginningWith, whereOf } from './queries';

/** A resource that a search has found. */
export interface Match {
  readonly kind: Kind;
  readonly ref: string;
  readonly label: string;
}

// Matches of each kind.
const MOST = 5;

/** The resources with a text, or a number in any spelling, of all kinds with one request. */
export async function searchResources(model: Model, text: string, signal: AbortSignal): Promise<readonly Match[]> {
  const isNumber = questionOf(text)?.is === 'number';
  const digits = isNumber ? (await valueFor('telUrl', text)).replace(/;.*$|\D/g, '') : '';
  const searches = model.kinds.flatMap((kind) => {
    const where = conditionOf(model, kind, text, digits);
    return where ? [{ kind, where }] : [];
  });
  const declared = searches.map(({ kind: { name, collection } }) => `$${collection}: ${name}Where`).join(', ');
  const lists = searches.map(
    ({ kind: { collection, label } }) =>
      `${collection}(first: ${String(MOST)}, where: $${collection}) { nodes { ref label: ${label} } }`,
  );
  const variables = Object.fromEntries(searches.map(({ kind, where }) => [kind.collection, where]));
  const found = await request<Readonly<Record<string, { readonly nodes: readonly Omit<Match, 'kind'>[] }>>>(
    `query Search(${declared}) { ${lists.join(' ')} }`,
    variables,
    { signal },
  );
  return searches.flatMap(({ kind }) => (found[kind.collection]?.nodes ?? []).map((node) => ({ kind, ...node })));
}

/** Selects what matches. There may be a million numbers: they are found by their first digits, or as the range of the whole number, with an index. */
function conditionOf(model: Model, kind: Kind, text: string, digits: string): object | undefined {
  if (kind.label !== 'telUrl') return whereOf(model, kind, { q: text }, [text]);
  if (digits === '') return undefined;
  return { or: [...beginningWith(digits), { covers: digits }] };
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
