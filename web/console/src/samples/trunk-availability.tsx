import { Alert, Stack, Typography } from '@mui/material';
import { useState } from 'react';

import type { ResourceProps } from '../feature';
import { isUp } from '../live/operations';
import { DataTable } from '../parts/data-table';
import { momentPath, PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { type Availability, AVAILABILITY, observedOf } from './availability';
import { SpanChoice } from './span-choice';
import { StateStrip } from './state-strip';
import { type SpanName, useSpanned } from './use-samples';

interface Reply {
  readonly gateway: { readonly availability: Availability | null };
}

const QUERY = `query Availability($ref: String!, $from: DateTimeISO!, $to: DateTimeISO!) {
  gateway(ref: $ref) { ${AVAILABILITY} }
}`;
// The latest times in which it was down that are listed.
const LISTED = 20;

/** For how long a gateway was up, on its page. Nothing for one of which that was never known. */
export function TrunkAvailability({ resourceRef }: ResourceProps) {
  const [span, setSpan] = useState<SpanName>('quarter');
  const { data, error } = useSpanned<Reply>(QUERY, { ref: resourceRef }, span);
  if (error) return <Alert severity="error">{texts.parts.failed(error.message)}</Alert>;
  if (!data?.reply.gateway.availability) return null;
  const { availability } = data.reply.gateway;
  const outages = availability.periods.filter(({ state }) => !isUp(state)).reverse();
  return (
    <Section title={texts.samples.availability} action={<SpanChoice value={span} onChange={setSpan} />}>
      <Stack spacing={1}>
        <Typography>
          {texts.samples.registered(
            texts.samples.spans[span],
            availability.registered,
            observedOf(availability, data.span),
          )}
        </Typography>
        <StateStrip
          gatewayRef={resourceRef}
          availability={availability}
          span={data.span}
          label={texts.samples.spans[span]}
        />
        {outages.length > 0 && (
          <>
            <DataTable
              label={texts.samples.outages}
              columns={[
                {
                  label: texts.samples.from,
                  cell: ({ from }) => (
                    <PageLink to={momentPath(Date.parse(from), resourceRef)}>
                      <Time isBrief isRough value={from} />
                    </PageLink>
                  ),
                },
                { label: texts.samples.to, cell: ({ to }) => <Time isBrief isRough value={to} /> },
                { label: texts.live.columns.state, cell: ({ state }) => texts.live.states[state] },
              ]}
              rows={outages.slice(0, LISTED)}
              keyOf={({ from }) => from}
            />
            {outages.length > LISTED && (
              <Typography color="text.secondary">{texts.samples.more(outages.length - LISTED)}</Typography>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}
