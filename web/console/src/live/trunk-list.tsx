import { Stack, Typography } from '@mui/material';

import type { Nodes } from '../graph/lists';
import { HEALTH, REGISTRATIONS, RESOURCES, useLiveQuery } from '../graph/live-query';
import { DataTable, type Column } from '../parts/data-table';
import { GatewayLink } from '../parts/links';
import { colorOf } from '../parts/progress';
import { Time } from '../parts/time';
import { type Availability, AVAILABILITY } from '../samples/availability';
import { StateStrip } from '../samples/state-strip';
import { type Span, useSpanned } from '../samples/use-samples';
import { texts } from '../texts';
import { ChoiceFilter, TextFilter } from './filter-field';
import { isNarrowed, ListFrame } from './list-frame';
import { isUp, TRUNK_STATES, TRUNKS, type Trunk, type TrunkPage, type TrunkState } from './operations';
import { useParameters } from './use-parameters';

const SIZE = 50;

/** The availability of the trunks of a page. It is read apart, because it changes slowly. */
const AVAILABILITIES = `query Availabilities(
  $states: [TrunkState!], $search: String, $first: Int, $after: String, $last: Int, $before: String,
  $from: DateTimeISO!, $to: DateTimeISO!
) {
  trunks(states: $states, search: $search, first: $first, after: $after, last: $last, before: $before) {
    nodes { gateway { ref ${AVAILABILITY} } }
  }
}`;

interface Availabilities {
  readonly trunks: Nodes<{ readonly gateway: { readonly ref: string; readonly availability: Availability | null } }>;
}

const COLUMNS: readonly Column<Trunk>[] = [
  {
    label: texts.live.columns.gateway,
    line: ({ gateway }) => gateway.name,
    cell: ({ gateway }) => <GatewayLink of={gateway} />,
  },
  {
    label: texts.live.columns.state,
    cell: (trunk) => {
      const silence = silenceOf(trunk);
      return (
        <>
          <StateText state={trunk.state} isUp={isUp(trunk.state) && !silence} />
          {silence && (
            <>
              {texts.parts.comma}
              <StateText state="DOWN" isUp={false} />
            </>
          )}
        </>
      );
    },
  },
  { label: texts.live.columns.reason, cell: responseOf, line: responseOf },
  {
    label: texts.live.columns.since,
    cell: (trunk) => <Time isBrief isRough value={silenceOf(trunk)?.since ?? trunk.since} none={texts.live.never} />,
  },
  {
    label: texts.live.columns.provider,
    cell: (trunk) => texts.parts.list(...providerOf(trunk)),
    line: (trunk) => providerOf(trunk).join(' '),
  },
  {
    label: texts.live.columns.transport,
    cell: ({ registration }) => registration && texts.parts.transport(registration.transport),
  },
];

function responseOf({ registration }: Trunk): string {
  return registration?.lastResponse ?? texts.parts.noValue;
}

function providerOf({ gateway: { host }, registration }: Trunk): readonly string[] {
  return [host, addressIn(registration)];
}

/** The health of a trunk that is registered, if its host does not respond. */
function silenceOf({ state, gateway: { health } }: Trunk): Trunk['gateway']['health'] | undefined {
  return isUp(state) && health.state === 'DOWN' ? health : undefined;
}

function StateText({ state, isUp: works }: { readonly state: TrunkState; readonly isUp: boolean }) {
  return (
    <Typography
      component="span"
      className="status"
      variant="body2"
      sx={{ fontWeight: 600, color: colorOf(works ? 'works' : 'broken') }}
    >
      {texts.live.states[state]}
    </Typography>
  );
}

/** The gateways that register at their providers, and those whose health is known. */
export function TrunkList() {
  const [get, set] = useParameters();
  const [state, search, after, before] = [get('state'), get('q'), get('after'), get('before')];
  const states = TRUNK_STATES.filter((each) => each === state);
  const variables = {
    search,
    ...(states.length > 0 && { states }),
    ...(before === undefined ? { first: SIZE, after } : { last: SIZE, before }),
  };
  const result = useLiveQuery<TrunkPage>(TRUNKS, variables, () => [RESOURCES, REGISTRATIONS, HEALTH]);
  const page = result.data?.trunks;
  const { data } = useSpanned<Availabilities>(AVAILABILITIES, variables, 'day');
  const found = new Map(data?.reply.trunks.nodes.map(({ gateway }) => [gateway.ref, gateway.availability]));
  const strip: Column<Trunk> = {
    label: texts.samples.lastDay,
    cell: ({ gateway: { ref } }) =>
      data && <Day gatewayRef={ref} availability={found.get(ref) ?? null} span={data.span} />,
  };
  return (
    <Stack spacing={2}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <TextFilter label={texts.live.search} value={search} onChange={(q) => set({ q })} />
        <ChoiceFilter
          label={texts.live.columns.state}
          value={state}
          onChange={(value) => set({ state: value })}
          choices={[
            ['', texts.live.allStates],
            ...TRUNK_STATES.map((each) => [each, texts.live.states[each]] as const),
          ]}
        />
      </Stack>
      <ListFrame
        result={result}
        count={page?.totalCount}
        isEmpty={page?.nodes.length === 0}
        none={isNarrowed({ search, state, after, before }) ? texts.live.noTrunks : texts.live.noTrunksYet}
        back={
          page?.pageInfo.hasPreviousPage === true ? () => set({ before: page.pageInfo.startCursor ?? '' }) : undefined
        }
        on={page?.pageInfo.hasNextPage === true ? () => set({ after: page.pageInfo.endCursor ?? '' }) : undefined}
        labels={[texts.live.previous, texts.live.next]}
      >
        <DataTable
          label={texts.live.trunks}
          columns={[...COLUMNS, strip]}
          rows={page?.nodes ?? []}
          keyOf={({ gateway }) => gateway.ref}
        />
      </ListFrame>
    </Stack>
  );
}

interface DayProps {
  readonly gatewayRef: string;
  readonly availability: Availability | null;
  readonly span: Span;
}

function Day({ gatewayRef, availability, span }: DayProps) {
  if (!availability) return texts.parts.noValue;
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'center', width: { xs: '100%', md: '15rem' } }}>
      <StateStrip gatewayRef={gatewayRef} availability={availability} span={span} label={texts.samples.spans.day} />
      <Typography component="span" variant="body2" sx={{ whiteSpace: 'nowrap' }}>
        {texts.samples.percent(availability.registered)}
      </Typography>
    </Stack>
  );
}

function addressIn(registration: Trunk['registration']): string {
  if (!registration || registration.ip === '') return '';
  const { ip, port } = registration;
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}
