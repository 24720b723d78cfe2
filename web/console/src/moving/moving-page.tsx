import {
  Alert,
  Box,
  Button,
  Checkbox,
  FormControlLabel,
  LinearProgress,
  Paper,
  Stack,
  TableCell,
  TableRow,
  TextField,
  Typography,
} from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { Title } from 'react-admin';

import { CallEffects } from '../effects/call-effects';
import { messageOf } from '../graph/graph-error';
import { useRefresh } from '../graph/request';
import { RevertDialog, type Reverting } from '../history/revert-dialog';
import { DropZone } from '../import/drop-zone';
import { Choice } from '../parts/choice';
import { useLeavingQuestion } from '../parts/leaving';
import { ScrollingTable } from '../parts/scrolling-table';
import { isComplete, isScheduled, NO_WAIT, type Wait } from '../pending/wait';
import { Scheduled, WaitOptions } from '../pending/wait-options';
import { TaskProgress } from '../tasks/task-progress';
import { followed, isRunning, ownTask, type Task } from '../tasks/tasks';
import { texts } from '../texts';
import {
  callsOfMove,
  type Counted,
  type Failure,
  isSmall,
  mayBeLarge,
  type Move,
  type Moved,
  packed,
  resultOf,
  runMove,
  startMove,
  type System,
  uploadDump,
} from './moves';
import { ReplaySection } from './replay-section';
import { words } from './texts';

const SYSTEMS = Object.entries(words.systems);
const NOTHING: Move = { system: 'KAMAILIO', source: '', gateway: '', newSecrets: false, skipInvalid: false };

/**
 * Moves in another system from its dump: first a dry run with a report, and then the move; a large one in the background. Below,
 * recorded calls are compared.
 */
export function MovingPage() {
  const [move, setMove] = useState(NOTHING);
  const [name, setName] = useState('');
  const [result, setResult] = useState<Moved>();
  const [running, setRunning] = useState<'checking' | 'moving'>();
  const [problem, setProblem] = useState<string>();
  const [undoing, setUndoing] = useState<Reverting>();
  /** Of a large move: what the server does of it. */
  const [task, setTask] = useState<Task>();
  const [uploaded, setUploaded] = useState<number>();
  const leaving = useRef<AbortController>(undefined);
  const [wait, setWait] = useState<Wait>(NO_WAIT);
  // How often a dry run was started: each has its own calls.
  const [checked, setChecked] = useState(0);
  const refreshPending = useRefresh('pendingChanges');
  const isBusy = running !== undefined;
  const isLarge = task !== undefined;
  // The server goes on with a large move.
  useLeavingQuestion((running === 'moving' && !isLarge) || uploaded !== undefined, words.moving);
  const attempt = async (
    what: 'checking' | 'moving',
    work: (signal: AbortSignal) => Promise<Moved | undefined>,
  ): Promise<void> => {
    leaving.current?.abort();
    const own = new AbortController();
    leaving.current = own;
    setRunning(what);
    setProblem(undefined);
    try {
      const found = await work(own.signal);
      if (!own.signal.aborted) setResult(found);
    } catch (error) {
      if (!own.signal.aborted) setProblem(messageOf(error));
    } finally {
      setUploaded(undefined);
      if (!own.signal.aborted) setRunning(undefined);
    }
  };
  const ended = async (begun: Task, signal: AbortSignal): Promise<Moved | undefined> => {
    const last = await followed(begun, setTask, signal);
    if (last.state === 'FAILED' && last.request === null) throw new Error(last.problem ?? '');
    return resultOf(last);
  };
  // A move that runs is shown, and for an hour what became of one that has ended.
  useEffect(() => {
    const own = new AbortController();
    leaving.current = own;
    void ownTask(own.signal)
      .then((known) => {
        if (own.signal.aborted || known?.type !== 'MOVE' || isForgotten(known)) return;
        void attempt(isRunning(known) ? 'moving' : 'checking', async (signal) => ended(known, signal));
      })
      .catch(() => undefined); // the page works without it
    return () => leaving.current?.abort();
  }, []);
  const check = (given: Move, file?: File): void =>
    void attempt('checking', async (signal) => {
      setResult(undefined);
      setTask(undefined);
      const source = file ? await packed(file) : given.source;
      const read = { ...given, source };
      setMove(read);
      if (file) setName(file.name);
      setChecked((times) => times + 1);
      if (isSmall(read))
        try {
          return await runMove(read, true);
        } catch (error) {
          if (!mayBeLarge(error)) throw error;
        }
      setUploaded(0);
      const begun = await uploadDump(read, setUploaded, signal);
      setUploaded(undefined);
      return ended(await startMove(read, begun, true), signal);
    });
  const start = (): void =>
    void attempt('moving', async (signal) => {
      if (task) return ended(await startMove(move, task, false), signal);
      const moved = await runMove(move, false, wait);
      if (moved.pending) await refreshPending();
      return moved;
    });
  // What was entered after the dry run does not count before another one.
  const change = (changed: Partial<Move>): void => {
    setMove({ ...move, ...changed });
    setResult(undefined);
    setTask(undefined);
  };
  const isDone = result !== undefined && (result.moved || isScheduled(result.pending));
  const changes = (result?.kinds ?? []).reduce((sum, { created, updated }) => sum + created + updated, 0);
  return (
    <Stack spacing={2} sx={{ mt: 2 }}>
      <Title title={texts.titles.moving} />
      <Paper sx={{ p: 2 }}>
        <Stack spacing={2}>
          <Stack direction="row" useFlexGap spacing={2} sx={{ flexWrap: 'wrap' }}>
            <Choice
              size="small"
              label={words.system}
              value={move.system}
              disabled={isBusy}
              options={SYSTEMS}
              onChange={({ target }) => change({ system: target.value as System })}
            />
            <TextField
              size="small"
              label={words.gateway}
              helperText={words.gatewayHint}
              value={move.gateway}
              disabled={isBusy}
              onChange={({ target }) => change({ gateway: target.value })}
              sx={{ width: '20rem', maxWidth: '100%' }}
              // Small, it is whole at 400 % zoom, too.
              slotProps={{ inputLabel: { shrink: true } }}
            />
          </Stack>
          {(['newSecrets', 'skipInvalid'] as const).map((option) => (
            <FormControlLabel
              key={option}
              control={
                <Checkbox
                  checked={move[option]}
                  disabled={isBusy}
                  onChange={({ target }) => change({ [option]: target.checked })}
                />
              }
              label={words[option]}
            />
          ))}
          <DropZone isBusy={isBusy} words={words.dump} onFile={(file) => check(move, file)} />
        </Stack>
        {running && uploaded !== undefined && (
          <Typography variant="body2" role="status">
            {words.uploading(uploaded)}
          </Typography>
        )}
        {running && task && isRunning(task) && (
          <TaskProgress task={task} label={texts.titles.moving} onProblem={(error) => setProblem(messageOf(error))} />
        )}
        {running && !isLarge && uploaded === undefined && (
          <Box sx={{ mt: 2 }}>
            <LinearProgress aria-label={texts.titles.moving} />
            <Typography variant="body2" role="status">
              {words[running]}
            </Typography>
          </Box>
        )}
        {problem !== undefined && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        )}
        {task && !isBusy && problem === undefined && isStopped(task) && (
          <Alert severity="warning" sx={{ mt: 2 }}>
            {words.stopped(task.written, task.problem ?? '')}
            {task.request !== null && (
              <Button onClick={() => setUndoing({ request: task.request ?? '', isLarge: true })}>{words.undo}</Button>
            )}
          </Alert>
        )}
        {move.source !== '' && !isBusy && !isDone && (
          <Button onClick={() => check(move)} sx={{ mt: 1 }}>
            {words.check}
          </Button>
        )}
        {result && running === undefined && !(task && isStopped(task)) && (
          <Box component="section" sx={{ mt: 2 }}>
            <Typography component="h2" variant="h6">
              {name === '' ? words.last : name}
            </Typography>
            {isScheduled(result.pending) ? <Scheduled waiting={result.pending} /> : <Outcome result={result} />}
            <Kinds result={result} />
            {!isDone && move.source !== '' && result.failed === 0 && changes > 0 && (
              <>
                {isLarge ? (
                  <Alert severity="info">{words.large}</Alert>
                ) : (
                  <>
                    <CallEffects key={checked} load={async (signal) => callsOfMove(move, signal)} />
                    <WaitOptions value={wait} isBusy={isBusy} onChange={setWait} />
                  </>
                )}
                <Button variant="contained" disabled={!isLarge && !isComplete(wait)} onClick={start} sx={{ my: 1 }}>
                  {words.start(changes)}
                </Button>
              </>
            )}
            {!isDone && move.source === '' && result.failed === 0 && changes > 0 && (
              <Typography sx={{ my: 1 }}>{words.again}</Typography>
            )}
            {result.request !== null && (
              <Button onClick={() => setUndoing({ request: result.request ?? '', ...(isLarge && { isLarge }) })}>
                {words.undo}
              </Button>
            )}
            <Failures title={words.failures} all={result.failures} count={result.failed} />
            <Failures title={words.skipped} all={result.skipped} count={result.skippedCount} />
            <Counts title={words.missing} all={result.missing} />
            <Counts title={words.checks} all={result.checks} />
          </Box>
        )}
      </Paper>
      <ReplaySection />
      {undoing !== undefined && (
        <RevertDialog
          what={undoing}
          onClose={(isReverted) => {
            setUndoing(undefined);
            if (!isReverted) return;
            setResult(undefined);
            setTask(undefined);
          }}
        />
      )}
    </Stack>
  );
}

/** Whether a large move ended before all was written. */
function isStopped({ state }: Task): boolean {
  return state === 'FAILED' || state === 'CANCELLED';
}

/** Whether nothing is left of a task to show: it was never started, or was stopped before it wrote. */
function isForgotten({ state, request }: Task): boolean {
  return state === 'UPLOADING' || (state === 'CANCELLED' && request === null);
}

/** What a move did, or would do, in a sentence. */
function Outcome({ result: { moved, failed, kinds } }: { readonly result: Moved }) {
  const isChange = kinds.some(({ created, updated }) => created + updated > 0);
  const [severity, text] =
    failed > 0
      ? (['error', words.rejected(failed)] as const)
      : moved
        ? (['success', words.done] as const)
        : (['info', isChange ? words.dryRun : words.nothing] as const);
  return (
    <Alert severity={severity} role="status" sx={{ my: 1 }}>
      {text}
    </Alert>
  );
}

/** How many resources of each kind. */
function Kinds({ result: { moved, kinds } }: { readonly result: Moved }) {
  const many = kinds.filter((each) => each.created + each.updated + each.unchanged + each.failed > 0);
  return (
    <ScrollingTable label={words.kinds} columns={moved ? words.madeColumns : words.kindColumns} maxHeight="50vh">
      {many.map(({ kind, created, updated, unchanged, failed }) => (
        <TableRow key={kind}>
          {[texts.kinds.heading(kind), created, updated, unchanged, failed].map((cell, index) => (
            <TableCell key={index}>{cell}</TableCell>
          ))}
        </TableRow>
      ))}
    </ScrollingTable>
  );
}

/** Records that are left out in part or as a whole, by what they have in common. */
function Counts({ title, all }: { readonly title: string; readonly all: readonly Counted[] }) {
  if (all.length === 0) return null;
  return (
    <Box component="section" sx={{ mt: 2 }}>
      <Typography component="h3" variant="subtitle1">
        {title}
      </Typography>
      <ScrollingTable label={title} columns={words.countColumns} maxHeight="50vh">
        {all.map(({ what, count, first }) => (
          <TableRow key={what}>
            <TableCell>{count}</TableCell>
            <TableCell>{what}</TableCell>
            <TableCell>{first}</TableCell>
          </TableRow>
        ))}
      </ScrollingTable>
    </Box>
  );
}

/** Records that cannot be imported: the first ones, of `count`. */
function Failures({
  title,
  all,
  count,
}: {
  readonly title: string;
  readonly all: readonly Failure[];
  readonly count: number;
}) {
  if (all.length === 0) return null;
  const more = count - new Set(all.map(({ place }) => place)).size;
  return (
    <Box component="section" sx={{ mt: 2 }}>
      <Typography component="h3" variant="subtitle1">
        {title}
      </Typography>
      <ScrollingTable label={title} columns={words.failureColumns} maxHeight="50vh">
        {all.map(({ place, kind, message }, index) => (
          <TableRow key={index}>
            <TableCell>{place}</TableCell>
            <TableCell>{texts.kinds.heading(kind)}</TableCell>
            <TableCell>{message}</TableCell>
          </TableRow>
        ))}
      </ScrollingTable>
      {more > 0 && <p>{words.more(more)}</p>}
    </Box>
  );
}
