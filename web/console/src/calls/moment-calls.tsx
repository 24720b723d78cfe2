import { Alert, Stack, Typography } from '@mui/material';

import { messageOf } from '../graph/graph-error';
import { useGraph } from '../graph/request';
import { PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { CallTable } from './call-table';
import { CALLS, type CallPage } from './operations';
import { words as all } from './texts';

const words = all.moment;
const [SIZE, SPAN] = [10, 15 * 60_000];

interface Props {
  /** In UTC. */
  readonly at: string;
  readonly gateway: string | undefined;
}

/** The last calls that began before a moment, of everything or of a gateway, with links to all of them. */
export function CallsOfMoment({ at, gateway }: Props) {
  const from = new Date(Date.parse(at) - SPAN).toISOString();
  const { data, error } = useGraph<CallPage>('calls of a moment', CALLS, {
    where: { from, to: at, gatewayRef: gateway },
    first: SIZE,
  });
  const calls = data?.calls.nodes ?? [];
  const pathOf = (state?: string): string =>
    `/calls?${new URLSearchParams({ from, to: at, ...(gateway !== undefined && { gateway }), ...(state !== undefined && { state }) }).toString()}`;
  return (
    <Section title={words.calls}>
      {error && <Alert severity="error">{messageOf(error)}</Alert>}
      {data && calls.length === 0 && <Typography color="text.secondary">{words.none}</Typography>}
      {calls.length > 0 && (
        <Stack spacing={1}>
          <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap' }}>
            <PageLink to={pathOf()} variant="body2">
              {words.all}
            </PageLink>
            <PageLink to={pathOf('FAILED')} variant="body2">
              {words.failed}
            </PageLink>
          </Stack>
          <CallTable label={words.calls} calls={calls} />
        </Stack>
      )}
    </Section>
  );
}
