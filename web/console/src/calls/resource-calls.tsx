import { Typography } from '@mui/material';

import type { ResourceProps } from '../feature';
import type { Nodes } from '../graph/lists';
import { useGraph } from '../graph/request';
import { lower } from '../model/fields';
import { PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { CallTable } from './call-table';
import { lastCallsOf, type Call } from './operations';
import { words } from './texts';

/** The kinds to whose resources the list of calls can be restricted, by a parameter. */
const LISTED = ['Agent', 'Peer', 'Gateway', 'Domain', 'Route'];

/** The last calls of a resource, such as an agent, a gateway or a number. Nothing if there are none. */
export function ResourceCalls({ kind, resourceRef: ref }: ResourceProps) {
  const { data } = useGraph<{ of: { calls: Nodes<Call> } | null }>(`calls of ${kind}`, lastCallsOf(kind), { ref });
  const calls = data?.of?.calls.nodes ?? [];
  if (calls.length === 0) return null;
  return (
    <Section
      title={words.of}
      action={
        LISTED.includes(kind) && (
          <Typography component="span">
            <PageLink to={`/calls?${new URLSearchParams({ [lower(kind)]: ref }).toString()}`}>{words.all}</PageLink>
          </Typography>
        )
      }
    >
      <CallTable label={words.of} calls={calls} />
    </Section>
  );
}
