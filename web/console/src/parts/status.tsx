import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

import { colorOf, PROGRESSES, type Progress } from './progress';

interface Props {
  readonly progress: Progress;
  /** The state in words: the colour of the dot only repeats it. */
  readonly children: ReactNode;
}

/** A state in words, with a dot in its colour. */
export function Status({ progress, children }: Props) {
  return (
    <Root>
      <span aria-hidden className={progress} />
      <span className="status">{children}</span>
    </Root>
  );
}

/** One element with styles: lists have many states. */
const Root = styled('span')(({ theme }) => ({
  ...{ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(1), minWidth: 0, maxWidth: '100%' },
  '& > :first-of-type': { flex: 'none', width: 8, height: 8, borderRadius: '50%' },
  '& > .status': { overflow: 'hidden', textOverflow: 'ellipsis' },
  ...Object.fromEntries(
    PROGRESSES.map((progress) => [`& > .${progress}`, { backgroundColor: colorOf(progress)(theme) }]),
  ),
}));
