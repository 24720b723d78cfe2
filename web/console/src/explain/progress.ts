import type { Theme } from '@mui/material/styles';

import type { Step } from './operations';

/** How far a call gets: links before the first broken one work, and those after it are not reached. */
export type Progress = 'works' | 'unneeded' | 'broken' | 'unreached';

const WORKING = ['OK', 'NOT_NEEDED'];

/** The progress of a call at each link. */
export function progressOf(steps: readonly Step[]): readonly Progress[] {
  const broken = steps.findIndex(({ state }) => !WORKING.includes(state));
  return steps.map(({ state }, index) => {
    if (broken >= 0 && index >= broken) return index === broken ? 'broken' : 'unreached';
    return state === 'OK' ? 'works' : 'unneeded';
  });
}

/** The color of a link, with enough contrast for text on both themes. */
export function colorOf(progress: Progress): (theme: Theme) => string {
  return ({ palette }) => {
    const shade = palette.mode === 'dark' ? 'light' : 'dark';
    if (progress === 'works') return palette.success[shade];
    return progress === 'broken' ? palette.error[shade] : palette.text.secondary;
  };
}
