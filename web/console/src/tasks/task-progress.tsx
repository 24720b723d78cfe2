import { Box, Button, LinearProgress, Typography } from '@mui/material';

import { cancelTask, type Task } from './tasks';
import { words } from './texts';

interface TaskProgressProps {
  readonly task: Task;
  readonly label: string;
  readonly onProblem: (error: unknown) => void;
}

/** How far a task is that runs, and a button that stops it. */
export function TaskProgress({ task, label, onProblem }: TaskProgressProps) {
  const { state, done, total } = task;
  const share = total === null || total === 0 ? undefined : Math.min(100, (100 * done) / total);
  return (
    <Box sx={{ mt: 2 }}>
      <LinearProgress aria-label={label} {...(share !== undefined && { variant: 'determinate', value: share })} />
      <Typography variant="body2" role="status">
        {words.progress[state === 'WRITING' ? 'WRITING' : 'CHECKING'](done, total)}
      </Typography>
      <Typography variant="body2" color="text.secondary">
        {words.hint}
      </Typography>
      <Button onClick={() => void cancelTask(task).catch(onProblem)}>{words.stop}</Button>
    </Box>
  );
}
