import { Alert, Button, DialogContentText, LinearProgress, Link, Stack, Typography } from '@mui/material';
import type { Query } from '@tanstack/react-query';
import { useState } from 'react';

import { messageOf } from '../graph/graph-error';
import { serverUrl } from '../graph/post';
import { request, useGraph, useRefresh } from '../graph/request';
import { MenuChoice } from '../parts/choice';
import { DataTable, type Column } from '../parts/data-table';
import { DialogFrame } from '../parts/dialogs';
import { CANCEL, EXPORTS, START, type Export, type Exports } from './operations';
import { words } from './texts';

// Milliseconds between two reads while a file is written.
const REFRESH = 1000;

interface ExportProps {
  /** What the title names. */
  readonly what: string;
  /** The input `of`: a member with its conditions. */
  readonly of: object;
}

/** The button that exports what a page lists, however much it is. */
export function ExportButton(props: ExportProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {words.export}
      </Button>
      {isOpen && <ExportJobs {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The time until the exports are read again: only while a file is written. */
function refreshOf({ state: { data } }: Query<Exports>): number | false {
  return data === undefined || data.exports.some(({ state }) => state === 'RUNNING') ? REFRESH : false;
}

/** Starts an export, and shows the user's exports with their progress. */
export function ExportJobs({ what, of, onClose }: ExportProps & { readonly onClose: () => void }) {
  const [format, setFormat] = useState<string>('CSV');
  const [problem, setProblem] = useState<unknown>();
  const refresh = useRefresh('exports');
  const { data, error } = useGraph<Exports>('exports', EXPORTS, {}, { refetchInterval: refreshOf });
  const jobs = data?.exports ?? [];
  const send = (document: string, variables: Readonly<Record<string, unknown>>): void => {
    setProblem(undefined);
    request(document, variables).then(refresh, setProblem);
  };
  const failure: unknown = problem ?? error ?? undefined;
  return (
    <DialogFrame title={words.title(what)} width="sm" onClose={onClose} close={words.close}>
      <Stack spacing={2}>
        <DialogContentText>{words.about}</DialogContentText>
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
          <MenuChoice
            size="small"
            label={words.format}
            value={format}
            onChange={({ target }) => setFormat(target.value)}
            options={Object.entries(words.formats)}
          />
          <Button variant="contained" onClick={() => send(START, { of, format })}>
            {words.start}
          </Button>
        </Stack>
        {failure !== undefined && <Alert severity="error">{messageOf(failure)}</Alert>}
        <Typography component="h3" variant="subtitle2">
          {words.list}
        </Typography>
        {jobs.length === 0 ? (
          <Typography>{words.none}</Typography>
        ) : (
          <DataTable
            label={words.list}
            columns={columnsFor((ref) => send(CANCEL, { ref }))}
            rows={jobs}
            keyOf={({ ref }) => ref}
          />
        )}
      </Stack>
    </DialogFrame>
  );
}

function columnsFor(onCancel: (ref: string) => void): readonly Column<Export>[] {
  return [
    {
      label: words.columns.file,
      cell: (job) =>
        job.address === null ? (
          fileOf(job)
        ) : (
          <Link href={serverUrl(job.address.slice(1))} download aria-label={words.downloadOf(fileOf(job))}>
            {fileOf(job)}
          </Link>
        ),
    },
    { label: words.columns.state, cell: (job) => <Progress job={job} /> },
    {
      label: words.columns.action,
      cell: (job) => (
        <Button
          size="small"
          aria-label={(job.state === 'RUNNING' ? words.cancelOf : words.deleteOf)(fileOf(job))}
          onClick={() => onCancel(job.ref)}
        >
          {job.state === 'RUNNING' ? words.cancel : words.delete}
        </Button>
      ),
    },
  ];
}

function Progress({ job: { state, rows, total, problem } }: { readonly job: Export }) {
  const share = total === null || total === 0 ? undefined : Math.min(100, (100 * rows) / total);
  return (
    <>
      <Typography variant="body2" role="status">
        {words.progress(state, rows, total)}
      </Typography>
      {state === 'RUNNING' && (
        <LinearProgress
          aria-label={words.running}
          {...(share === undefined ? {} : { variant: 'determinate', value: share })}
        />
      )}
      {problem !== null && <Typography variant="body2">{problem}</Typography>}
    </>
  );
}

function fileOf({ source, format }: Export): string {
  return `${source}.${format.toLowerCase()}`;
}
