import { Alert, Box, Button, LinearProgress, Typography } from '@mui/material';
import { useState } from 'react';

import { messageOf } from '../graph/graph-error';
import type { ForwardPage } from '../graph/lists';
import { useGraph } from '../graph/request';
import { useMayWrite } from '../graph/session';
import { useModel } from '../model/model';
import { Section } from '../parts/page';
import { texts } from '../texts';
import { Diff } from './diff';
import { type Done, revertingOf } from './done';
import { Entries } from './entries';
import { type Entry, PAGE } from './entry';
import { RequestLine } from './request-line';
import { RevertDialog, type Reverting } from './revert-dialog';
import { words } from './texts';

interface Props {
  /** Undefined while they are read. */
  readonly requests: readonly Done[] | undefined;
  readonly error: unknown;
  /** Whether conditions leave something out. */
  readonly isNarrowed: boolean;
  /** The names of users by their references. */
  readonly users: ReadonlyMap<string, string> | undefined;
  /** Whether the details are shown at once. */
  readonly isOpen: boolean;
}

/** Requests by day, a line each, which unfolds to its entries. */
export function RequestList({ requests, error, isNarrowed, users, isOpen }: Props) {
  const [reverting, setReverting] = useState<Reverting>();
  const now = new Date();
  return (
    <>
      {error !== null && error !== undefined && <Alert severity="error">{messageOf(error)}</Alert>}
      {!requests && !error && <LinearProgress aria-label={texts.parts.loading} />}
      {requests?.length === 0 && (
        <Typography color="text.secondary">{isNarrowed ? words.empty : words.noneYet}</Typography>
      )}
      {daysOf(requests ?? []).map(({ day, items }) => (
        <Section key={day.toDateString()} title={words.day(day, now)}>
          <Box
            component="ul"
            aria-label={words.day(day, now)}
            sx={{ listStyle: 'none', m: 0, p: 0, border: 1, borderColor: 'divider', borderRadius: 1 }}
          >
            {items.map((done) => (
              <Request key={done.entry} done={done} users={users} isFirstOpen={isOpen} onUndo={setReverting} />
            ))}
          </Box>
        </Section>
      ))}
      {reverting && <RevertDialog what={reverting} onClose={() => setReverting(undefined)} />}
    </>
  );
}

/** The requests of each day in the time zone of the browser. */
function daysOf(requests: readonly Done[]): readonly { readonly day: Date; readonly items: readonly Done[] }[] {
  const days: { readonly day: Date; readonly items: Done[] }[] = [];
  for (const done of requests) {
    const day = new Date(done.at);
    const last = days.at(-1);
    if (last?.day.toDateString() === day.toDateString()) last.items.push(done);
    else days.push({ day, items: [done] });
  }
  return days;
}

interface RequestProps {
  readonly done: Done;
  readonly users: Props['users'];
  readonly isFirstOpen: boolean;
  readonly onUndo: (what: Reverting) => void;
}

function Request({ done, users, isFirstOpen, onUndo }: RequestProps) {
  const model = useModel();
  const mayWrite = useMayWrite();
  const [isOpen, setOpen] = useState(isFirstOpen);
  const reverting = mayWrite ? revertingOf(done, model) : undefined;
  return (
    <Box component="li" sx={{ px: 2, py: 1, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <RequestLine
        done={done}
        users={users}
        actions={[
          { text: words.details, isOpen, onPress: () => setOpen(!isOpen) },
          ...(reverting ? [{ text: texts.requests.undo, onPress: () => onUndo(reverting) }] : []),
        ]}
      />
      {isOpen && (
        <Box sx={{ pt: 1 }}>
          {done.request === null ? <OwnDetails done={done} /> : <EntriesOf request={done.request} users={users} />}
        </Box>
      )}
    </Box>
  );
}

/** The details of an entry that belongs to no request. */
function OwnDetails({ done: { parts, address } }: Pick<RequestProps, 'done'>) {
  return (
    <>
      <Typography variant="body2">{words.origin([...(address === null ? [] : [address])])}</Typography>
      {parts.map((part) => (
        <Diff key={part.ref} kind={part.kind} changes={part.shared} />
      ))}
    </>
  );
}

/** Reads a page of the entries. */
const HISTORY = `query History($where: HistoryWhere, $after: String) {
  history(first: 30, after: $after, where: $where) { ${PAGE} }
}`;

interface EntriesProps {
  readonly request: string;
  readonly users: Props['users'];
}

function EntriesOf({ request, users }: EntriesProps) {
  const [after, setAfter] = useState<string | null>(null);
  const { data, error } = useGraph<{ history: ForwardPage<Entry> }>('history', HISTORY, { where: { request }, after });
  const { pageInfo } = data?.history ?? {};
  return (
    <>
      <Entries entries={data?.history.nodes} error={error} users={users} />
      {after !== null && <Button onClick={() => setAfter(null)}>{words.newest}</Button>}
      {pageInfo?.hasNextPage === true && <Button onClick={() => setAfter(pageInfo.endCursor)}>{words.moreOf}</Button>}
    </>
  );
}
