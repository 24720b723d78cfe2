import { Alert, Button, LinearProgress, Link, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useParams } from 'react-router-dom';

import { RecordedCall } from '../explain/past-answer';
import { messageOf } from '../graph/graph-error';
import { useGraph } from '../graph/request';
import { type Fact, Facts } from '../parts/facts';
import { type Former, PageLink, ResourceLink, StoredLink } from '../parts/links';
import { DataTable, type Column } from '../parts/data-table';
import { Page, Section } from '../parts/page';
import { Telephone } from '../parts/telephone';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { Duration, State } from './call-table';
import { Ladder } from './ladder';
import { CALL, type Attempt, type CallDetails, type Linked, type Named } from './operations';
import { words } from './texts';

// Milliseconds between two reads.
const REFRESH = 5000;

/** What is recorded of a call. */
export function CallPage() {
  const { id = '' } = useParams();
  const { data, error } = useGraph<{ readonly call: CallDetails | null }>(
    'call',
    CALL,
    { id },
    { refetchInterval: REFRESH },
  );
  const call = data?.call;
  return (
    <Page title={call ? words.title(texts.parts.time(new Date(call.begunOn))) : texts.titles.calls}>
      {error && <Alert severity="error">{messageOf(error)}</Alert>}
      {!data && !error && <LinearProgress aria-label={texts.parts.loading} />}
      {call === null && <Typography>{words.noCall}</Typography>}
      {call && <Fields call={call} />}
      {call && <Why call={call} />}
      {call && call.attempts.length > 0 && (
        <Section title={words.attempts}>
          <DataTable
            label={words.attempts}
            columns={ATTEMPTS}
            rows={call.attempts.map((attempt, index) => ({ ...attempt, place: index + 1, former: call.former }))}
            keyOf={({ place }) => String(place)}
          />
        </Section>
      )}
      {call && call.messages.length > 0 && (
        <Section title={words.messages}>
          <Ladder messages={call.messages} names={namesIn(call)} />
        </Section>
      )}
    </Page>
  );
}

/** Who is at the addresses of the messages, as far as the record tells: the SIP server, those that were tried, and the caller. */
function namesIn({ node, attempts, callee, caller, source, messages }: CallDetails): ReadonlyMap<string, string> {
  const [first] = messages;
  const tried = attempts.flatMap(({ destination, gateway, gatewayRef }): [string, string][] => {
    const [, place] = /^sips?:(?:[^@]*@)?([^;?]+)/.exec(destination ?? '') ?? [];
    const name = gatewayRef === null ? (callee?.name ?? words.device) : gateway?.name;
    return place === undefined || name === undefined ? [] : [[place, name]];
  });
  const isOfCaller = first !== undefined && source !== null && hostOf(first.from) === source;
  return new Map([
    ...tried,
    ...(isOfCaller ? [[first.from, caller?.name ?? words.caller] as const] : []),
    [node, words.server],
  ]);
}

/** The host of an address with a port. */
function hostOf(place: string): string {
  return place.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

/** Why the call became what it did, on demand: the history is searched for it. And what would become of it now. */
function Why({ call: { id, state, from, to, called, source } }: { readonly call: CallDetails }) {
  const [isAsked, setAsked] = useState(false);
  const now = new URLSearchParams({ q: to ?? called ?? '', from: from ?? '', source: source ?? '' });
  return (
    <Section title={words.why}>
      {/* As wide as the page, so that the progress of the search is visible. */}
      <Stack spacing={2} sx={{ '& > a, & > button': { alignSelf: 'flex-start' } }}>
        {isAsked ? (
          <RecordedCall id={id} isFailed={state === 'FAILED'} />
        ) : (
          <Button onClick={() => setAsked(true)}>{words.explain}</Button>
        )}
        <PageLink to={`/?${now.toString()}`}>{words.explainNow}</PageLink>
      </Stack>
    </Section>
  );
}

/** An attempt, and its place among those of the call. */
interface Placed extends Attempt {
  readonly place: number;
  readonly former: readonly Former[];
}

const ATTEMPTS: readonly Column<Placed>[] = [
  { label: words.attempt.place, cell: ({ place }) => words.place(place) },
  {
    label: words.columns.gateway,
    cell: ({ gateway, gatewayRef, former }) =>
      gatewayRef === null ? words.device : <StoredLink kind="Gateway" now={gateway} of={gatewayRef} former={former} />,
  },
  { label: words.attempt.destination, cell: ({ destination }) => destination ?? texts.parts.noValue },
  { label: words.columns.begun, cell: ({ at }) => <Time isBrief isExact value={at} /> },
  {
    label: words.columns.response,
    cell: ({ status, reason, duration }) =>
      words.response(status, reason) || (duration === null ? words.waiting : words.notSent),
  },
  { label: words.fields.reason, cell: ({ reasonHeader }) => reasonHeader ?? texts.parts.noValue },
  {
    label: words.attempt.after,
    cell: ({ duration }) => (duration === null ? texts.parts.noValue : words.after(duration)),
  },
];

function Fields({ call }: { readonly call: CallDetails }) {
  const { fields } = words;
  const { number, direction, endedBy, former } = call;
  const stored = (kind: string, now: Named | null, of: string | null) =>
    of && <StoredLink kind={kind} now={now} of={of} former={former} />;
  const rows: readonly Fact[] = [
    [fields.state, <State key="state" state={call.state} />],
    [fields.direction, words.directions[direction ?? '']],
    [fields.from, call.from],
    [fields.to, call.to],
    [fields.called, call.called],
    [fields.caller, call.callerRef && <Party now={call.caller} of={call.callerRef} former={former} />],
    [fields.callee, call.calleeRef && <Party now={call.callee} of={call.calleeRef} former={former} />],
    [
      fields.number,
      number ? (
        <ResourceLink kind={number.__typename} of={number.ref}>
          <Telephone telUrl={number.telUrl} />
        </ResourceLink>
      ) : (
        call.digits
      ),
    ],
    [fields.gateway, stored('Gateway', call.gateway, call.gatewayRef)],
    [fields.domain, stored('Domain', call.domain, call.domainRef)],
    [fields.route, stored('Route', call.route, call.routeRef)],
    [fields.begun, <Time key="begun" isExact value={call.begunOn} />],
    [fields.ringing, call.ringingOn && <Time isExact value={call.ringingOn} />],
    [fields.answered, call.answeredOn && <Time isExact value={call.answeredOn} />],
    [fields.ended, call.endedOn && <Time isExact value={call.endedOn} />],
    [fields.duration, call.answeredOn && call.state !== 'LOST' && <Duration of={call} />],
    [fields.endedBy, words.ends[endedBy ?? '']],
    [fields.response, words.response(call.status, call.reason)],
    [fields.reason, call.reasonHeader],
    [fields.source, call.source],
    [fields.node, call.node],
    [fields.callId, call.callId],
    [
      fields.trace,
      call.traceUrl !== null && (
        <Link href={call.traceUrl} target="_blank" rel="noreferrer">
          {words.trace}
        </Link>
      ),
    ],
  ];
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false);
  return <Facts of={known} stacksOnPhone />;
}

interface PartyProps {
  readonly now: Linked | null;
  readonly of: string;
  readonly former: readonly Former[];
}

function Party({ now, of, former }: PartyProps) {
  const gone = former.find(({ kind, ref }) => ref === of && (kind === 'Agent' || kind === 'Peer'));
  const kind = now?.__typename ?? gone?.kind ?? 'Agent';
  return <StoredLink kind={kind} now={now} of={of} former={former} />;
}
