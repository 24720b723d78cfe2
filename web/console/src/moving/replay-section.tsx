import { Alert, Box, Button, LinearProgress, Paper, TableCell, TableRow, Typography } from '@mui/material';
import { useEffect, useRef, useState } from 'react';

import { messageOf } from '../graph/graph-error';
import { DropZone } from '../import/drop-zone';
import { textIn } from '../import/run-import';
import { ScrollingTable } from '../parts/scrolling-table';
import { replayCalls, type Replayed } from './moves';
import { words } from './texts';

/** Differences that are shown. */
const SHOWN = 200;

/** Compares recorded calls with what would become of them now. */
export function ReplaySection() {
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const [stopper, setStopper] = useState<AbortController>();
  const [result, setResult] = useState<Replayed>();
  const [problem, setProblem] = useState<string>();
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);
  const run = async (file: File): Promise<void> => {
    const own = new AbortController();
    latest.current = own;
    setStopper(own);
    setProgress(undefined);
    setResult(undefined);
    setProblem(undefined);
    try {
      const text = await textIn(file);
      const found = await replayCalls(text, (done, total) => setProgress({ done, total }), own.signal);
      setResult(found);
    } catch (error) {
      if (!own.signal.aborted) setProblem(messageOf(error));
    } finally {
      setStopper(undefined);
    }
  };
  return (
    <Paper component="section" aria-label={words.replay} sx={{ p: 2 }}>
      <Typography component="h2" variant="h6" gutterBottom>
        {words.replay}
      </Typography>
      <DropZone isBusy={stopper !== undefined} words={words.records} onFile={(file) => void run(file)} />
      {stopper && (
        <Box sx={{ mt: 2 }}>
          <LinearProgress
            aria-label={words.replay}
            {...(progress ? { variant: 'determinate', value: (100 * progress.done) / progress.total } : {})}
          />
          {progress && (
            <Typography variant="body2" role="status">
              {words.replaying(progress.done, progress.total)}
            </Typography>
          )}
          <Button onClick={() => stopper.abort()}>{words.stop}</Button>
        </Box>
      )}
      {problem !== undefined && (
        <Alert severity="error" sx={{ mt: 2 }}>
          {problem}
        </Alert>
      )}
      {result && <Result result={result} />}
    </Paper>
  );
}

function Result({ result }: { readonly result: Replayed }) {
  const { calls, same, later, differ, unknown, ignored, invalid, invalidRecord, differences } = result;
  const others = [
    ...(later > 0 ? [words.later(later)] : []),
    ...(unknown > 0 ? [words.unknown(unknown)] : []),
    ...(ignored > 0 ? [words.ignored(ignored)] : []),
    ...(invalid > 0 ? [words.invalid(invalid, invalidRecord ?? '')] : []),
  ];
  return (
    <>
      <Alert severity={differ > 0 ? 'warning' : 'success'} role="status" sx={{ my: 2 }}>
        {words.replayed(calls, same, differ)}
        {others.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </Alert>
      {differences.length > 0 && (
        <ScrollingTable label={words.differences} columns={words.differenceColumns} maxHeight="60vh">
          {differences.slice(0, SHOWN).map(({ count, from, to, source, was, now, line }) => (
            <TableRow key={line}>
              {[count, from, to, source, was, now, line].map((cell, index) => (
                <TableCell key={index}>{cell}</TableCell>
              ))}
            </TableRow>
          ))}
        </ScrollingTable>
      )}
      {differences.length > SHOWN && <p>{words.shown(SHOWN, differences.length)}</p>}
    </>
  );
}
