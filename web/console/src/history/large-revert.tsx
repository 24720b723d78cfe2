import { Alert, Button, DialogActions, DialogContent, Stack, Typography } from '@mui/material';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNotify, useRefresh as useRefreshAdmin } from 'react-admin';

import { messageOf } from '../graph/graph-error';
import { useRefresh } from '../graph/request';
import { TaskProgress } from '../tasks/task-progress';
import { followed, isRunning, ownTask, startRevert, type Task } from '../tasks/tasks';
import { words as taskWords } from '../tasks/texts';
import { texts } from '../texts';
import { words } from './texts';

interface LargeRevertProps {
  readonly request: string;
  /** What the request did. */
  readonly children: ReactNode;
  readonly onClose: (isReverted: boolean) => void;
}

/** The content of a dialog that reverts a request with too many entries for one revert: in the background. */
export function LargeRevert({ request, children, onClose }: LargeRevertProps) {
  const [task, setTask] = useState<Task>();
  const [problem, setProblem] = useState<unknown>();
  const [isOther, setOther] = useState(false);
  const leaving = useRef<AbortController>(undefined);
  const notify = useNotify();
  const refreshHistory = useRefresh('history');
  const refreshPage = useRefreshAdmin();

  const follow = async (begin: (signal: AbortSignal) => Promise<Task | undefined>): Promise<void> => {
    leaving.current?.abort();
    const own = new AbortController();
    leaving.current = own;
    setProblem(undefined);
    try {
      const begun = await begin(own.signal);
      if (!begun) return;
      const ended = await followed(begun, setTask, own.signal);
      if (own.signal.aborted) return;
      await refreshHistory();
      if (ended.state !== 'DONE') return;
      notify(taskWords.undone(ended.written), { type: 'info' });
      onClose(true);
      refreshPage();
    } catch (error) {
      if (!own.signal.aborted) setProblem(error);
    }
  };
  // One that runs already is shown, because a user has one at a time.
  useEffect(() => {
    void follow(async (signal) => {
      const task = await ownTask(signal);
      if (task?.type !== 'REVERT' || !isRunning(task)) return undefined;
      setOther(true);
      return task;
    });
    return () => leaving.current?.abort();
  }, []);
  const runs = task !== undefined && isRunning(task);
  return (
    <>
      <DialogContent>
        <Stack spacing={2}>
          {isOther && runs ? <Typography>{taskWords.running}</Typography> : children}
          <Typography>{taskWords.large}</Typography>
          {runs && <TaskProgress task={task} label={words.revertRequest} onProblem={setProblem} />}
          {task && !runs && task.state !== 'DONE' && (
            <Alert severity="warning">{taskWords.stoppedUndo(task.written, task.problem ?? '')}</Alert>
          )}
          {problem !== undefined && <Alert severity="error">{messageOf(problem)}</Alert>}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onClose(false)}>{runs ? taskWords.leave : texts.parts.cancel}</Button>
        <Button
          variant="contained"
          disabled={runs}
          onClick={() => {
            setOther(false);
            void follow(async () => startRevert(request));
          }}
        >
          {words.revert}
        </Button>
      </DialogActions>
    </>
  );
}
