import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  Typography,
} from '@mui/material';
import { useEffect, useState } from 'react';

import { readTotal } from '../data/pages';
import { useModel } from '../model/model';
import { texts } from '../texts';
import { exportCsv, MAX_ROWS, type Exported, type ExportedFile } from './export-csv';

interface Props extends Exported {
  readonly onClose: () => void;
}

/** Reads what the filter selects, with its progress, and saves it as a file. */
export function ExportDialog({ kind, where, sort, onClose }: Props) {
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
      save(exported.file, `${kind.collection}.csv`);
    }, report);
    return () => stop.abort();
    // Once, when the dialog opens: a list that changes meanwhile does not start it anew.
  }, []);
  const most = total === undefined ? undefined : Math.min(total, MAX_ROWS);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="export-title">
      <DialogTitle id="export-title">{texts.bulk.exportTitle(texts.kinds.heading(kind.collection))}</DialogTitle>
      <DialogContent>
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
        {done?.isComplete === false && <Alert severity="warning">{texts.bulk.incomplete(MAX_ROWS)}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{done ? texts.bulk.close : texts.kinds.cancel}</Button>
      </DialogActions>
    </Dialog>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read the file when this runs.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
