import { Alert, Button, LinearProgress, Typography } from '@mui/material';
import { useEffect, useState } from 'react';

import { lineOf } from '../../../../src/spelling/csv';
import { formValues, valueAt } from '../data/forms';
import { ExportJobs } from '../exports/export-button';
import { type Node, readTotal } from '../data/pages';
import { selectionOf } from '../data/queries';
import type { ForwardPage } from '../graph/lists';
import { request } from '../graph/request';
import { readPatiently } from '../graph/retries';
import { type Kind, type Model, orderOf, useModel } from '../model/model';
import { DialogFrame } from '../parts/dialogs';
import { saveFile } from '../parts/save-file';
import { texts } from '../texts';
import { settables } from './settable';

interface ExportDialogProps extends Exported {
  readonly onClose: () => void;
}

/** Reads what the filter selects, with its progress, and saves it as a file. */
export function ExportDialog({ kind, where, sort, onClose }: ExportDialogProps) {
  const model = useModel();
  const [total, setTotal] = useState<number>();
  const [rows, setRows] = useState(0);
  const [done, setDone] = useState<ExportedFile>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    const report = (error: unknown): void => {
      if (!stop.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    };
    void readTotal({ kind, where }).then(setTotal, () => undefined);
    void exportCsv(model, { kind, where, sort }, setRows, stop.signal).then((exported) => {
      if (stop.signal.aborted) return;
      setDone(exported);
      saveFile(exported.file, `${kind.collection}.csv`);
    }, report);
    return () => stop.abort();
    // Once, when the dialog opens: a list that changes meanwhile does not start it anew.
  }, []);
  const [isForAll, setForAll] = useState(false);
  const most = total === undefined ? undefined : Math.min(total, MAX_ROWS);
  if (isForAll)
    return (
      <ExportJobs
        what={texts.kinds.heading(kind.collection)}
        of={{ [kind.collection]: where ?? {} }}
        onClose={onClose}
      />
    );
  return (
    <DialogFrame
      title={texts.bulk.exportTitle(texts.kinds.heading(kind.collection))}
      width="sm"
      onClose={onClose}
      close={done ? texts.bulk.close : texts.kinds.cancel}
    >
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {!done && problem === undefined && (
        <LinearProgress
          aria-label={texts.bulk.busy}
          {...(most ? { variant: 'determinate', value: Math.min(100, (100 * rows) / most) } : {})}
        />
      )}
      <Typography role="status" sx={{ mt: 1 }}>
        {done ? texts.bulk.exported(done.rows) : texts.bulk.exporting(rows, total)}
      </Typography>
      {done?.isComplete === false && (
        <Alert severity="warning" action={<Button onClick={() => setForAll(true)}>{texts.bulk.exportAll}</Button>}>
          {texts.bulk.incomplete(MAX_ROWS)}
        </Alert>
      )}
    </DialogFrame>
  );
}

/** What to export: a list, and its order. */
interface Exported {
  readonly kind: Kind;
  readonly where: object | undefined;
  readonly sort: { readonly field: string; readonly order: string };
}

/** A file, and whether it contains everything. */
interface ExportedFile {
  readonly file: Blob;
  readonly rows: number;
  readonly isComplete: boolean;
}

/** Rows of the largest file: a larger one would need too much of the browser's memory. */
const MAX_ROWS = 100_000;
/** The largest page of the graph. */
const PAGE = 100;
/** Pages that are joined to one part of the file, which the browser may keep on the disk. */
const PAGES_PER_PART = 20;

/**
 * Reads all resources of a list, page by page, as CSV. The columns are the reference and all fields that can be set,
 * without secrets. Calls `onRows` with the number of rows that were read. Throws a GraphError.
 */
async function exportCsv(
  model: Model,
  { kind, where, sort }: Exported,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<ExportedFile> {
  const columns = settables(kind).filter(({ input }) => input.sort !== 'secret');
  const field = orderOf(kind, sort.field);
  const orderBy = field === undefined ? undefined : [{ field, direction: sort.order === 'DESC' ? 'DESC' : 'ASC' }];
  const query = `query Export($after: String, $where: ${kind.name}Where, $orderBy: [${kind.name}Order!]) {
    list: ${kind.collection}(first: ${PAGE}, after: $after, where: $where, orderBy: $orderBy) {
      nodes { ${selectionOf(model, kind, false)} } pageInfo { hasNextPage endCursor }
    }
  }`;
  let file = new Blob([lineOf(['ref', ...columns.map(({ path }) => path)])], { type: 'text/csv' });
  let part: string[] = [];
  let rows = 0;
  let after: string | null = null;
  for (let page = 1; ; page++) {
    const variables = { after, where, orderBy };
    const read = async (): Promise<{ list: ForwardPage<Node> }> => request(query, variables, { signal });
    const { list } = await readPatiently(read, signal);
    for (const node of list.nodes) {
      const values = formValues(kind, node);
      part.push(lineOf([node.ref, ...columns.map(({ path }) => valueAt(values, path))]));
    }
    rows += list.nodes.length;
    onRows(rows);
    after = list.pageInfo.endCursor;
    const isLast = !list.pageInfo.hasNextPage || rows >= MAX_ROWS;
    if (isLast || page % PAGES_PER_PART === 0) {
      file = new Blob([file, ...part], { type: 'text/csv' });
      part = [];
    }
    if (isLast) return { file, rows, isComplete: !list.pageInfo.hasNextPage };
  }
}
