import { Chip, Stack } from '@mui/material';

import { ExportButton } from '../exports/export-button';
import { useLiveQuery } from '../graph/live-query';
import { useGraph } from '../graph/request';
import { ChoiceFilter, TextFilter } from '../live/filter-field';
import { isNarrowed, ListFrame } from '../live/list-frame';
import { useParameters } from '../live/use-parameters';
import { ResourceName } from '../parts/links';
import { utcOf } from '../parts/local-time';
import { Page } from '../parts/page';
import { Sparkline } from '../samples/sparkline';
import { texts } from '../texts';
import { CallTable } from './call-table';
import { CALLS, callsThat, GATEWAYS, LIVE, NAMED_GATEWAY, type CallPage, type CallState } from './operations';
import { Outcomes } from './outcomes';
import { words } from './texts';

const SIZE = 50;
// Milliseconds between two reads, however many calls change.
const PAUSE = 2000;
const HOUR = 3_600_000;
const SPANS: Readonly<Record<string, number>> = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR };
/** The parameters that links to this page have: they are taken away with their chips. */
const PARTIES = [
  ['agent', 'Agent'],
  ['peer', 'Peer'],
  ['domain', 'Domain'],
  ['route', 'Route'],
] as const;
const STATES = Object.keys(words.states) as CallState[]; // the keys of that object

/** The calls that the SIP server recorded, newest first. The conditions and the page are in the address. */
export function CallsPage() {
  const [get, set] = useParameters();
  const [state, direction, gateway, search] = [get('state'), get('direction'), get('gateway'), get('q')];
  const [after, before] = [get('after'), get('before')];
  const states = state === 'LIVE' ? LIVE : STATES.filter((each) => each === state);
  const span = SPANS[get('since') ?? ''];
  const [begin, end] = [utcOf(get('from')), utcOf(get('to'))];
  // A new start once a minute, so that it is not a new query at each look.
  const recent =
    span === undefined ? undefined : new Date(Math.floor(Date.now() / 60_000) * 60_000 - span).toISOString();
  const from = begin ?? recent;
  const lasting = {
    ...(direction !== undefined && direction in words.directions && { direction }),
    gatewayRef: gateway,
    agentRef: get('agent'),
    peerRef: get('peer'),
    domainRef: get('domain'),
    routeRef: get('route'),
    digits: get('digits'),
    search,
  };
  const where = {
    ...lasting,
    ...(states.length > 0 && { states }),
    ...(from !== undefined && { from }),
    ...(end !== undefined && { to: end }),
  };
  const result = useLiveQuery<CallPage>(
    CALLS,
    { where, ...(before === undefined ? { first: SIZE, after } : { last: SIZE, before }) },
    // In any state, because a call that goes on may leave the list.
    () => [callsThat(lasting)],
    { pause: PAUSE },
  );
  const { data: known } = useGraph<Gateways>('names of gateways', GATEWAYS);
  const { data: named, isPending } = useGraph<Gateways>(
    'name of a gateway',
    NAMED_GATEWAY,
    { refs: [gateway] },
    { enabled: gateway !== undefined },
  );
  const name = isPending ? texts.parts.unread : named?.gateways.nodes[0]?.name;
  const page = result.data?.calls;
  const { hasPreviousPage = false, hasNextPage = false, startCursor, endCursor } = page?.pageInfo ?? {};
  return (
    <Page title={texts.titles.calls} actions={<ExportButton what={texts.titles.calls} of={{ calls: where }} />}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <TextFilter label={words.search} value={search} onChange={(q) => set({ q })} />
        <ChoiceFilter
          label={words.columns.state}
          value={state}
          onChange={(value) => set({ state: value })}
          choices={[
            ['', words.anyState],
            ['LIVE', words.live],
            ...STATES.map((each) => [each, words.states[each]] as const),
          ]}
        />
        <ChoiceFilter
          label={words.columns.direction}
          value={direction}
          onChange={(value) => set({ direction: value })}
          choices={[['', words.anyDirection], ...Object.entries(words.directions)]}
        />
        <ChoiceFilter
          label={words.columns.gateway}
          value={gateway}
          onChange={(value) => set({ gateway: value })}
          choices={[['', words.anyGateway], ...gatewaysIn(known, gateway, name)]}
        />
        <ChoiceFilter
          label={words.time}
          value={get('since')}
          onChange={(value) => set({ since: value, from: undefined, to: undefined })}
          choices={Object.entries(words.spans)}
        />
      </Stack>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', '&:empty': { display: 'none' } }}>
        {PARTIES.map(([parameter, kind]) => {
          const ref = get(parameter);
          return (
            ref !== undefined && (
              <Chip
                key={parameter}
                label={words.partyOf(kind, <ResourceName kind={kind} of={ref} />)}
                onDelete={() => set({ [parameter]: undefined })}
              />
            )
          );
        })}
        {(begin ?? end) !== undefined && (
          <Chip sx={WRAPS} label={words.begunIn(begin, end)} onDelete={() => set({ from: undefined, to: undefined })} />
        )}
      </Stack>
      <Sparkline series="CALLS" label={words.inProgress} isTold />
      <Outcomes />
      <ListFrame
        result={result}
        count={undefined}
        isEmpty={page?.nodes.length === 0}
        none={isNarrowed({ ...where, after, before }) ? words.none : words.noneYet}
        back={hasPreviousPage ? () => set({ before: startCursor ?? '' }) : undefined}
        on={hasNextPage ? () => set({ after: endCursor ?? '' }) : undefined}
        labels={[words.newer, words.older]}
      >
        <CallTable label={words.list} calls={page?.nodes ?? []} />
      </ListFrame>
    </Page>
  );
}

/** Two times do not fit in a line of a phone. */
const WRAPS = { height: 'auto', minHeight: 32, '& .MuiChip-label': { whiteSpace: 'normal' } } as const;

interface Gateways {
  readonly gateways: { readonly nodes: readonly { readonly ref: string; readonly name: string }[] };
}

/** The gateways to choose from, and the one that a link chose, which has no name if it was deleted. */
function gatewaysIn(
  known: Gateways | undefined,
  chosen: string | undefined,
  name: string | undefined,
): (readonly [string, string])[] {
  const found = (known?.gateways.nodes ?? []).map(({ ref, name }) => [ref, name] as const);
  if (chosen === undefined || found.some(([ref]) => ref === chosen)) return found;
  return [...found, [chosen, name ?? chosen]];
}
