import { Typography } from '@mui/material';

import type { ResourceProps } from '../feature';
import { useGraph } from '../graph/request';
import { PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { CallTable } from './call-table';
import { lastCallsOf, type Call } from './operations';
import { words } from './texts';

interface LastCalls {
  readonly of: { readonly calls: { readonly nodes: readonly Call[] } } | null;
}

/** The parameter of the list of calls that restricts it to a resource of a kind. Others have no list of their own. */
const PARAMETERS: Readonly<Record<string, string>> = {
  Agent: 'agent',
  Peer: 'peer',
  Gateway: 'gateway',
  Domain: 'domain',
  Route: 'route',
};

/** The last calls of a resource, such as an agent, a gateway or a number. Nothing if there are none. */
export function ResourceCalls({ kind, resourceRef: ref }: ResourceProps) {
  const { data } = useGraph<LastCalls>(`calls of ${kind}`, lastCallsOf(kind), { ref });
  const calls = data?.of?.calls.nodes ?? [];
  if (calls.length === 0) return null;
  const parameter = PARAMETERS[kind];
  return (
    <Section
      title={words.of}
      action={
        parameter !== undefined && (
          <Typography component="span">
            <PageLink to={`/calls?${new URLSearchParams({ [parameter]: ref }).toString()}`}>{words.all}</PageLink>
          </Typography>
        )
      }
    >
      <CallTable label={words.of} calls={calls} />
    </Section>
  );
}
