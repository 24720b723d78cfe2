import { Button, Typography } from '@mui/material';
import { useNotify } from 'react-admin';

import type { ResourceProps } from '../feature';
import { messageOf } from '../graph/graph-error';
import { request, useGraph, useRefresh } from '../graph/request';
import { useMayWrite } from '../graph/session';
import { Rows, Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';

const REFUSED = `query RefusedCallers($ref: String!) {
  gateway(ref: $ref) { sources }
  refusedCallers(gatewayRef: $ref) { ip digits calls firstOn lastOn }
}`;
const ADD = `mutation AddSource($ref: String!, $sources: [String!]!) {
  updateGateway(ref: $ref, input: { sources: $sources }) { ref }
}`;
interface Refused {
  readonly gateway: { readonly sources: readonly string[] | null } | null;
  readonly refusedCallers: readonly {
    /** Null for viewers. */
    readonly ip: string | null;
    readonly digits: string;
    readonly calls: number;
    readonly firstOn: string;
    readonly lastOn: string;
  }[];
}

/** From where calls to the numbers of a gateway were refused, with a button that permits them. Nothing if from nowhere. */
export function RefusedCallers({ resourceRef: ref }: ResourceProps) {
  const { data, error } = useGraph<Refused>('refused callers', REFUSED, { ref });
  const refresh = useRefresh('refused callers', 'gateways');
  const notify = useNotify();
  const mayWrite = useMayWrite();
  const add = (ip: string): void => {
    request(ADD, { ref, sources: [...(data?.gateway?.sources ?? []), ip] }).then(refresh, (failure: unknown) =>
      notify(messageOf(failure), { type: 'error' }),
    );
  };
  if (!error && (data?.refusedCallers.length ?? 0) === 0) return null;
  const { title, about, row, add: label } = texts.refusedCallers;
  return (
    <Section title={title}>
      <Typography color="text.secondary" sx={{ mb: 1 }}>
        {about}
      </Typography>
      <Rows
        label={title}
        rows={data?.refusedCallers}
        error={error}
        empty=""
        keyOf={({ ip, firstOn, lastOn }) => [ip, firstOn, lastOn].join(' ')}
      >
        {({ ip, digits, calls, firstOn, lastOn }) => (
          <>
            {row(ip ?? '…', calls, digits, <Time isBrief value={firstOn} />, <Time isBrief value={lastOn} />)}{' '}
            {mayWrite && ip !== null && (
              <Button size="small" onClick={() => add(ip)}>
                {label(ip)}
              </Button>
            )}
          </>
        )}
      </Rows>
    </Section>
  );
}
