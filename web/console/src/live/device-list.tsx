import EvictIcon from '@mui/icons-material/PhoneDisabled';
import { Autocomplete, IconButton, Stack, TextField, Tooltip } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';

import { contactsOf, useLiveQuery } from '../graph/live-query';
import { request, useDebounced, useGraph } from '../graph/request';
import { RETRIES } from '../graph/retries';
import { useMayWrite } from '../graph/session';
import { findDomains } from '../jobs/new-user';
import { type Column, DataTable } from '../parts/data-table';
import { Confirm } from '../parts/dialogs';
import { QuestionLink } from '../parts/links';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { ChoiceFilter, TextFilter } from './filter-field';
import { isNarrowed, ListFrame } from './list-frame';
import {
  COUNT_DEVICES,
  type Device,
  type DeviceCount,
  type DevicePage,
  DEVICES,
  EVICT,
  SIP_SERVER,
} from './operations';
import { useParameters } from './use-parameters';

const SIZE = 50;
const WATCHED = [contactsOf()];
// Milliseconds between two reads of the page, and between two counts, however many devices register.
const PAUSE = 700;
const COUNT_PAUSE = 3000;
const TRANSPORTS = ['udp', 'tcp', 'tls', 'ws', 'wss', 'sctp'];

const COLUMNS: readonly Column<Device>[] = [
  {
    label: texts.live.columns.who,
    cell: ({ addressOfRecord }) => <QuestionLink text={addressOfRecord} />,
    line: ({ addressOfRecord }) => addressOfRecord,
  },
  { label: texts.live.columns.where, cell: ({ uri }) => uri, line: ({ uri }) => uri },
  { label: texts.live.columns.transport, cell: ({ transport }) => texts.parts.transport(transport) },
  { label: texts.live.columns.userAgent, cell: userAgentOf, line: userAgentOf },
  { label: texts.live.columns.nat, cell: ({ nat }) => (nat ? texts.live.yes : texts.live.no) },
  {
    label: texts.live.columns.until,
    cell: ({ expiresOn }) => <Time isBrief value={expiresOn} none={texts.live.never} />,
  },
];

function userAgentOf({ userAgent }: Device): string {
  return userAgent ?? texts.parts.noValue;
}

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
        none={isNarrowed({ ...where, after, before }) ? texts.live.noDevices : texts.live.noDevicesYet}
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

interface DomainFilterProps {
  readonly value: string | undefined;
  readonly onChange: (domain: string | undefined) => void;
}

/** A field that filters a list by a domain. */
function DomainFilter({ value, onChange }: DomainFilterProps) {
  const [text, setText] = useState(value ?? '');
  const asked = useDebounced(text);
  const { data } = useQuery({
    queryKey: ['domains found', asked],
    queryFn: async ({ signal }) => findDomains(asked, signal),
    ...RETRIES,
  });
  return (
    <Autocomplete
      freeSolo
      size="small"
      sx={{ width: '14rem' }}
      options={data?.map(({ label }) => label) ?? []}
      filterOptions={(options) => options}
      value={value ?? null}
      inputValue={text}
      onInputChange={(_event, entered) => setText(entered)}
      onChange={(_event, chosen) => onChange(chosen ?? undefined)}
      renderInput={(parameters) => <TextField {...parameters} label={texts.live.domain} margin="none" />}
    />
  );
}

interface EvictButtonProps {
  readonly aor: string;
  readonly onEvicted: () => void;
}

/** Ends the registrations of all devices of an address of record, after a confirmation. */
function EvictButton({ aor, onEvicted }: EvictButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const notify = useNotify();
  const evict = async (): Promise<void> => {
    const { evictContact } = await request<{ readonly evictContact: number }>(EVICT, { aor });
    notify(texts.live.evicted(evictContact), { type: 'success' });
    onEvicted();
  };
  return (
    <>
      <Tooltip title={texts.live.evict(aor)}>
        <IconButton size="small" aria-label={texts.live.evict(aor)} onClick={() => setAsking(true)}>
          <EvictIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      {isAsking && (
        <Confirm
          title={texts.live.evictTitle}
          about={texts.live.evictQuestion(aor)}
          submit={texts.live.evictConfirm}
          onConfirm={evict}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
