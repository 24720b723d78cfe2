import { Alert, Button, LinearProgress, Paper, Stack, Typography } from '@mui/material';
import { useQueries } from '@tanstack/react-query';

import { type Node, readPage } from '../data/pages';
import { messageOf } from '../graph/graph-error';
import { isWorthRetrying } from '../graph/retries';
import { type Kind, kindOf, type Model, useModel } from '../model/model';
import { type Schema, shapeOf } from '../model/schema';
import { PageLink } from '../parts/links';
import { texts } from '../texts';
import { useLiveNames } from './use-live';
import { useTotal } from './use-total';
import { Value } from './value';

/** The resources that refer to a resource, a list for each kind. */
export function UseLists({ lists, isRead, error, refetch }: Uses) {
  return (
    <>
      {error !== undefined && (
        <Alert severity="error" action={<Button onClick={() => void refetch()}>{texts.kinds.again}</Button>}>
          {messageOf(error)}
        </Alert>
      )}
      {error === undefined && !isRead && <LinearProgress aria-label={texts.layout.reading} />}
      {lists.map((list) => list.nodes.length > 0 && <UseList key={list.use.kind.name + list.use.path} {...list} />)}
    </>
  );
}

function UseList({ use: { kind }, where, nodes }: Uses['lists'][number]) {
  const total = useTotal(kind, { ...where });
  const label = kind.fields.find(({ name }) => name === kind.label);
  if (!label) return null;
  const list = `/${kind.collection}?${new URLSearchParams({ filter: JSON.stringify(where) }).toString()}`;
  return (
    <Paper component="section" sx={{ p: 2 }}>
      <Typography component="h2" variant="h6" gutterBottom>
        {texts.kinds.listOf(kind.collection, total)}
      </Typography>
      <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap' }}>
        {nodes.map((node) => (
          <Value key={node.ref} field={{ ...label, sort: 'link' }} value={{ ...node, __typename: kind.name }} />
        ))}
      </Stack>
      {total !== undefined && total > SHOWN && <PageLink to={list}>{texts.kinds.all(total)}</PageLink>}
    </Paper>
  );
}

/** The most resources of each kind. */
const SHOWN = 10;

/** What refers to a resource. */
interface Uses {
  readonly lists: readonly { readonly use: Use; readonly where: object; readonly nodes: readonly Node[] }[];
  readonly isRead: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Reads what refers to a resource: the DIDs of a gateway, the agents of a domain. */
export function useUses(kind: Kind, id: string): Uses {
  const model = useModel();
  const uses = usesOf(model, kind).map((use) => ({ use, where: whereUses(use.path, id) }));
  useLiveNames(uses.map(({ use }) => use.kind));
  const sort = { field: 'id', order: 'ASC' };
  const results = useQueries({
    queries: uses.map(({ use, where }) => ({
      queryKey: [use.kind.collection, 'uses', where],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        readPage(model, { kind: use.kind, where, sort, signal }, { page: 1, perPage: SHOWN }),
      retry: isWorthRetrying,
    })),
  });
  return {
    lists: uses.map((each, index) => ({ ...each, nodes: results[index]?.data?.nodes ?? [] })),
    isRead: results.every(({ isSuccess }) => isSuccess),
    error: results.find(({ isError }) => isError)?.error,
    refetch: () => results.map(({ refetch }) => void refetch()),
  };
}

/** A way in which resources of a kind refer to a resource: the DIDs whose `target.agent` it is. */
interface Use {
  readonly kind: Kind;
  /** The path in the conditions of that kind, such as `target.agent`. */
  readonly path: string;
}

/** How other resources refer to those of a kind. */
function usesOf(model: Model, kind: Kind): readonly Use[] {
  return model.kinds.flatMap((other) =>
    pathsTo(model.schema, other, `${kind.name}Where`).map((path) => ({ kind: kindOf(model, other.name), path })),
  );
}

/** The paths of a kind's own links in its conditions. Connections lead the other way: to those that refer to it. */
function pathsTo(schema: Schema, from: Kind, where: string): readonly string[] {
  const conditions = fieldsOf(schema, `${from.name}Where`);
  return conditions.flatMap(({ name, type }) => {
    const link = from.fields.find((field) => field.name === name && field.sort === 'link');
    if (!link) return [];
    if (link.kinds.length === 1) return type === where ? [name] : [];
    // `target` is the first of the `targets` of a number.
    const all = conditions.find((other) => other.name === `${name}s` && other.type === type)?.name ?? name;
    // A union has a condition for each of its kinds.
    return fieldsOf(schema, type).flatMap((inner) => (inner.type === where ? `${all}.${inner.name}` : []));
  });
}

function fieldsOf(schema: Schema, input: string): readonly { readonly name: string; readonly type: string }[] {
  return (schema.get(input)?.inputFields ?? []).map(({ name, type }) => ({ name, type: shapeOf(type).name }));
}

/** Returns the condition that a path leads to the resource. */
function whereUses(path: string, ref: string): object {
  return path.split('.').reduceRight<object>((inner, name) => ({ [name]: inner }), { ref: { eq: ref } });
}
