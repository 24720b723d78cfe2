import { Card, CardContent, LinearProgress, Stack, Typography } from '@mui/material';
import { useQueries } from '@tanstack/react-query';

import { numberIn } from '../../../../src/spelling/written';
import { searched } from '../data/queries';
import type { ForwardPage } from '../graph/lists';
import { request } from '../graph/request';
import { RETRIES } from '../graph/retries';
import { usePartsOf } from '../graph/spelling';
import { type Kind, useModel } from '../model/model';
import { QuestionLink, ResourceLink } from '../parts/links';
import { texts } from '../texts';

const words = texts.explain.names;

/** The resources of all kinds with a text, such as a name, user name, host or number, that contains this one. */
export function Matches({ text }: { readonly text: string }) {
  const model = useModel();
  const searches = model.kinds.map((kind) => searchOf(kind));
  const parts = usePartsOf(text);
  // One request for each kind: a slow search among many numbers does not delay the others.
  const results = useQueries({
    queries: searches.map(({ kind, query }) => {
      const where = searched(model, kind, text, parts ?? [], false);
      return {
        ...RETRIES,
        queryKey: [kind.collection, query, where],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          (await request<{ readonly found: ForwardPage<FoundNode> }>(query, { where }, { signal })).found,
        enabled: parts !== undefined,
      };
    }),
  });
  const isDone = results.every(({ isPending }) => !isPending);
  const hasNone = results.every(({ data }) => data?.nodes.length === 0);
  return (
    <Stack spacing={1.5} aria-busy={!isDone}>
      <Typography component="h2" variant="h6">
        {words.title(text)}
      </Typography>
      {!isDone && <LinearProgress aria-label={words.searching} />}
      <Typography role="status" color="text.secondary">
        {isDone && hasNone && (numberIn(text) ? words.noNumber : words.none)}
      </Typography>
      {searches.map(({ kind, detail }, index) => {
        const { data, error } = results[index] ?? {};
        if (!error && (!data || data.nodes.length === 0)) return null;
        return (
          <Card key={kind.name} variant="outlined">
            <CardContent>
              <Typography component="h3" variant="subtitle1">
                {texts.kinds.heading(kind.collection)}
              </Typography>
              {error && <Typography color="error">{error.message}</Typography>}
              <Stack component="ul" sx={{ pl: 2.5, m: 0 }}>
                {data?.nodes.map((node) => (
                  <li key={node.ref}>
                    {kind.label === 'telUrl' ? (
                      <QuestionLink text={String(node[kind.label])} />
                    ) : (
                      <ResourceLink kind={kind.name} of={node.ref}>
                        {String(node[kind.label])}
                      </ResourceLink>
                    )}{' '}
                    {detail(node).map((each) => (
                      <Typography key={each} component="span" variant="body2" color="text.secondary">
                        {each.includes('@') ? <QuestionLink text={each} /> : each}{' '}
                      </Typography>
                    ))}
                  </li>
                ))}
              </Stack>
              {data?.pageInfo.hasNextPage === true && <Typography>{words.more}</Typography>}
            </CardContent>
          </Card>
        );
      })}
    </Stack>
  );
}

/** A resource that a search found, with the fields that the search selects. */
interface FoundNode {
  readonly ref: string;
  readonly domains?: readonly { readonly domainUri: string }[];
  readonly [field: string]: unknown;
}

/** How to search for the resources of a kind. */
interface Search {
  readonly kind: Kind;
  readonly query: string;
  /** What identifies a resource besides its name. An address of record becomes a link. */
  readonly detail: (node: FoundNode) => readonly string[];
}

/** Returns the search of a kind. */
function searchOf(kind: Kind): Search {
  const { name, collection, label, create, fields } = kind;
  const details = create.filter((each) => each.isRequired && each.sort === 'text' && each.name !== label);
  const hasAddresses = fields.some(({ name: field, isList }) => field === 'domains' && isList);
  const selected = ['ref', label, ...details.map((each) => each.name), hasAddresses ? 'domains { domainUri }' : ''];
  return {
    kind,
    query: `query Find($where: ${name}Where) {
      found: ${collection}(first: 10, where: $where) {
        nodes { ${selected.join(' ')} } pageInfo { hasNextPage }
      }
    }`,
    detail: (node) => {
      const values = details.map((each) => String(node[each.name]));
      // An agent has an address of record in each of its domains.
      return node.domains ? node.domains.map(({ domainUri }) => `${values.join(' ')}@${domainUri}`) : values;
    },
  };
}
