import { Stack } from '@mui/material';

import { contactsOf, useLiveQuery } from '../graph/live-query';
import { useGraph } from '../graph/request';
import { useMayWrite } from '../graph/session';
import { DataTable, type Column } from '../parts/data-table';
import { QuestionLink } from '../parts/links';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { DomainFilter } from './domain-filter';
import { EvictButton } from './evict-button';
import { ChoiceFilter, TextFilter } from './filter-field';
import { ListFrame } from './list-frame';
import { COUNT_DEVICES, DEVICES, SIP_SERVER, type Device, type DeviceCount, type DevicePage } from './operations';
import { useParameters } from './use-parameters';

const SIZE = 50;
const WATCHED = [contactsOf()];
// Milliseconds between two reads of the page, and between two counts, however many devices register.
const PAUSE = 700;
const COUNT_PAUSE = 3000;
const TRANSPORTS = ['udp', 'tcp', 'tls', 'ws', 'wss', 'sctp'];

const COLUMNS: readonly Column<Device>[] = [
  { label: texts.live.columns.who, cell: ({ addressOfRecord }) => <QuestionLink text={addressOfRecord} /> },
  { label: texts.live.columns.where, cell: ({ uri }) => uri },
  { label: texts.live.columns.transport, cell: ({ transport }) => texts.parts.transport(transport) },
  { label: texts.live.columns.userAgent, cell: ({ userAgent }) => userAgent ?? texts.parts.noValue },
  { label: texts.live.columns.nat, cell: ({ nat }) => (nat ? texts.live.yes : texts.live.no) },
  {
    label: texts.live.columns.until,
    cell: ({ expiresOn }) => <Time isBrief value={expiresOn} none={texts.live.never} />,
  },
];

/** The devices that are registered now, the last registered first. */
export function DeviceList() {
  const [get, set] = useParameters();
  const [search, domain, transport, nat] = [get('q'), get('domain'), get('transport'), get('nat')];
  const [after, before] = [get('after'), get('before')];
  const where = { search, domain, transport, ...(nat !== undefined && { nat: nat === 'yes' }) };
  const variables = { where, ...(after === undefined ? { last: SIZE, before } : { first: SIZE, after }) };
  const result = useLiveQuery<DevicePage>(DEVICES, variables, () => WATCHED, { pause: PAUSE });
  const counted = useLiveQuery<DeviceCount>(COUNT_DEVICES, { where }, () => WATCHED, { pause: COUNT_PAUSE });
  const page = result.data?.contacts;
  const mayEvict = useMayEvict();
  const actions: Column<Device> = {
    label: texts.live.columns.actions,
    cell: ({ addressOfRecord }) => <EvictButton aor={addressOfRecord} onEvicted={result.refresh} />,
  };
  return (
    <Stack spacing={2}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <TextFilter label={texts.live.search} value={search} onChange={(q) => set({ q })} />
        <DomainFilter value={domain} onChange={(value) => set({ domain: value })} />
        <ChoiceFilter
          label={texts.live.transport}
          value={transport}
          onChange={(value) => set({ transport: value })}
          choices={[
            ['', texts.live.anyTransport],
            ...TRANSPORTS.map((each) => [each, texts.parts.transport(each)] as const),
          ]}
        />
        <ChoiceFilter
          label={texts.live.nat}
          value={nat}
          onChange={(value) => set({ nat: value })}
          choices={[
            ['', texts.live.natAny],
            ['yes', texts.live.natYes],
            ['no', texts.live.natNo],
          ]}
        />
      </Stack>
      <ListFrame
        result={result}
        count={counted.isPrevious ? undefined : counted.data?.contacts.totalCount}
        isEmpty={page?.nodes.length === 0}
        none={texts.live.noDevices}
        back={page?.pageInfo.hasNextPage === true ? () => set({ after: page.pageInfo.endCursor ?? '' }) : undefined}
        on={
          page?.pageInfo.hasPreviousPage === true ? () => set({ before: page.pageInfo.startCursor ?? '' }) : undefined
        }
        labels={[texts.live.newer, texts.live.older]}
      >
        <DataTable
          label={texts.live.devices}
          columns={mayEvict ? [...COLUMNS, actions] : COLUMNS}
          rows={[...(page?.nodes ?? [])].reverse()}
          keyOf={({ id }) => id}
        />
      </ListFrame>
    </Stack>
  );
}

/** Whether the user's role permits to end registrations, and there is a SIP server that can. */
function useMayEvict(): boolean {
  const mayWrite = useMayWrite();
  const options = { enabled: mayWrite, staleTime: Infinity };
  const { data } = useGraph<{ readonly sipServer: object | null }>('sipServer', SIP_SERVER, {}, options);
  return mayWrite && data !== undefined && data.sipServer !== null;
}
