import { Button, Typography } from '@mui/material';
import { useState } from 'react';

import { findResources } from '../data/search';
import { request, useGraph, useRefresh } from '../graph/request';
import { useMayWrite } from '../graph/session';
import { Finder, type Choice } from '../jobs/finder';
import { useModel } from '../model/model';
import { DataTable, type Column } from '../parts/data-table';
import { FormDialog } from '../parts/dialogs';
import { GatewayLink } from '../parts/links';
import { Section } from '../parts/page';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { refusedSources as words } from './texts';

const REFUSED = `{ refusedSources { ip digits calls firstOn lastOn gateway { ref name } } }`;
const SOURCES = 'query Sources($ref: String!) { gateway(ref: $ref) { sources modifiedOn } }';
const ADD = `mutation AddSource($ref: String!, $sources: [String!]!, $since: DateTimeISO!) {
  updateGateway(ref: $ref, ifUnchangedSince: $since, input: { sources: $sources }) { ref }
}`;
const WHAT = 'refused sources';
// Milliseconds.
const INTERVAL = 10_000;

interface Refused {
  /** Null for viewers. */
  readonly ip: string | null;
  readonly digits: string | null;
  readonly calls: number;
  readonly firstOn: string;
  readonly lastOn: string;
  readonly gateway: { readonly ref: string; readonly name: string } | null;
}

/** The addresses of nobody from which calls were refused, each with a button that adds it to a gateway. Nothing if there are none. */
export function RefusedSources() {
  const { data } = useGraph<{ readonly refusedSources: readonly Refused[] }>(
    WHAT,
    REFUSED,
    {},
    { refetchInterval: INTERVAL },
  );
  const mayWrite = useMayWrite();
  const [added, setAdded] = useState<Refused>();
  const address = added?.ip ?? null;
  const rows = (data?.refusedSources ?? []).map((row, index) => ({ ...row, index }));
  if (rows.length === 0) return null;
  const columns: readonly Column<Refused>[] = [
    { label: words.columns.address, cell: ({ ip }) => ip ?? '…' },
    { label: words.columns.calls, cell: ({ calls }) => words.number(calls) },
    {
      label: words.columns.number,
      cell: ({ digits, gateway }) =>
        gateway === null || digits === null ? (
          words.noNumber
        ) : (
          <>
            {digits}
            {texts.parts.comma}
            <GatewayLink of={gateway} />
          </>
        ),
    },
    { label: words.columns.first, cell: ({ firstOn }) => <Time isBrief value={firstOn} /> },
    { label: words.columns.last, cell: ({ lastOn }) => <Time isBrief value={lastOn} /> },
    ...(mayWrite
      ? [
          {
            label: words.columns.action,
            cell: (row: Refused) =>
              row.ip !== null && (
                <Button size="small" aria-label={words.addOf(row.ip)} onClick={() => setAdded(row)}>
                  {words.add}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <Section title={words.title}>
      <Typography color="text.secondary" sx={{ mb: 1 }}>
        {words.about}
      </Typography>
      <DataTable label={words.title} columns={columns} rows={rows} keyOf={keyOf} />
      {added && address !== null && <AddDialog ip={address} of={added.gateway} onClose={() => setAdded(undefined)} />}
    </Section>
  );
}

/** Viewers see no addresses, and calls from several can begin in the same second. */
function keyOf({ ip, gateway, index }: Refused & { readonly index: number }): string {
  return ip === null ? String(index) : [ip, gateway?.ref].join(' ');
}

interface DialogProps {
  readonly ip: string;
  /** The gateway whose number was called. */
  readonly of: Refused['gateway'];
  readonly onClose: () => void;
}

/** Chooses the gateway to whose sources an address is added. */
function AddDialog({ ip, of, onClose }: DialogProps) {
  const model = useModel();
  const refresh = useRefresh(WHAT, 'gateways');
  const [gateway, setGateway] = useState<Choice | null>(of && { ref: of.ref, label: of.name });
  const add = async (): Promise<void> => {
    const ref = gateway?.ref ?? '';
    const { gateway: now } = await request<{
      gateway: { readonly sources: readonly string[] | null; readonly modifiedOn: string };
    }>(SOURCES, { ref });
    await request(ADD, { ref, sources: [...(now.sources ?? []), ip], since: now.modifiedOn });
    await refresh();
  };
  return (
    <FormDialog title={words.addOf(ip)} submit={words.submit} onSubmit={add} onClose={onClose}>
      {() => (
        <>
          <Typography>{words.addAbout}</Typography>
          <Finder
            required
            // Its list would cover the button.
            autoFocus={of === null}
            label={words.gateway}
            none={texts.explain.names.none}
            what={['refused source', 'Gateway']}
            find={async (text, signal) => findResources(model, 'Gateway', text, signal)}
            value={gateway}
            onChange={setGateway}
          />
        </>
      )}
    </FormDialog>
  );
}
