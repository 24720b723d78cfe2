import { Alert, Box, Button, Stack, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { Title } from 'react-admin';
import { useNavigate, useSearchParams } from 'react-router-dom';

import { CallsOfMoment } from '../calls/moment-calls';
import type { ForwardPage } from '../graph/lists';
import { useGraph } from '../graph/request';
import { type DonePage, requestsOf } from '../history/done';
import { RequestList } from '../history/request-list';
import { useModel } from '../model/model';
import { NamedLink, PageLink } from '../parts/links';
import { Section } from '../parts/page';
import { TextWithNumbers } from '../parts/telephone';
import { texts } from '../texts';
import { AtTime } from './past-answer';
import { words as all } from './texts';

const words = all.moment;
const NUMBERS = `query NumbersOfGateway($gateway: String!) {
  numberHealth(gatewayRef: $gateway, first: 20) { nodes { kind ref telUrl } pageInfo { hasNextPage } }
}`;

interface Numbers {
  readonly numberHealth: ForwardPage<{ readonly kind: string; readonly ref: string; readonly telUrl: string }>;
}

/** What was at the moment in the address, to which the plots of samples lead: of everything, or of a gateway. */
export function MomentPage() {
  const [parameters] = useSearchParams();
  const gateway = parameters.get('gateway') ?? undefined;
  return (
    <Stack component="section" spacing={2} sx={{ py: 2, maxWidth: 900 }}>
      <AtTime past={(at) => <Moment at={at} gateway={gateway} />}>{null}</AtTime>
    </Stack>
  );
}

interface Props {
  /** In UTC. */
  readonly at: string;
  readonly gateway: string | undefined;
}

function Moment({ at, gateway }: Props) {
  const model = useModel();
  const conditions = { to: at, ...(gateway !== undefined && { kind: 'Gateway', ref: gateway }) };
  const { data, error } = useGraph<{ requests: DonePage }>('history', requestsOf(model), { where: conditions });
  return (
    <Stack spacing={2}>
      <Title title={words.title(texts.parts.time(new Date(at)))} />
      {gateway !== undefined && (
        <Typography>
          {words.of}
          <NamedLink kind="Gateway" of={gateway} />
        </Typography>
      )}
      <Ask at={at} />
      {gateway !== undefined && <NumbersOf gateway={gateway} at={at} />}
      <CallsOfMoment at={at} gateway={gateway} />
      <Section
        title={words.changes}
        action={
          <PageLink to={`/history?${new URLSearchParams(conditions).toString()}`} variant="body2">
            {words.history}
          </PageLink>
        }
      >
        <RequestList
          key={at}
          requests={data?.requests.nodes}
          error={error}
          isNarrowed
          users={undefined}
          isOpen={false}
        />
      </Section>
    </Stack>
  );
}

/** Asks for a number, and leads to its chain as it was. */
function Ask({ at }: Pick<Props, 'at'>) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void navigate(chainPath(text, at));
      }}
      sx={{ display: 'flex', gap: 1, alignItems: 'center' }}
    >
      <TextField size="small" label={words.ask} value={text} onChange={({ target }) => setText(target.value)} />
      <Button type="submit">{words.explain}</Button>
    </Box>
  );
}

/** The first numbers of a gateway, each a link to its chain as it was. */
function NumbersOf({ gateway, at }: { readonly gateway: string; readonly at: string }) {
  const { data, error } = useGraph<Numbers>('numbers of a gateway', NUMBERS, { gateway });
  const { nodes = [], pageInfo } = data?.numberHealth ?? {};
  return (
    <Section title={words.numbers}>
      {error && <Alert severity="error">{texts.parts.failed(error.message)}</Alert>}
      {data && nodes.length === 0 && <Typography color="text.secondary">{words.none}</Typography>}
      <Box component="ul" aria-label={words.numbers} sx={{ pl: 2.5, m: 0 }}>
        {nodes.map(({ kind, ref, telUrl }) => (
          <li key={kind + ref}>
            <PageLink to={chainPath(telUrl, at)}>
              <TextWithNumbers>{telUrl}</TextWithNumbers>
            </PageLink>
          </li>
        ))}
      </Box>
      {pageInfo?.hasNextPage === true && (
        <Typography variant="body2" color="text.secondary">
          {words.more}
        </Typography>
      )}
    </Section>
  );
}

function chainPath(text: string, at: string): string {
  return `/?${new URLSearchParams({ q: text, at }).toString()}`;
}
