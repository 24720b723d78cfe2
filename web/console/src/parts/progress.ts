import type { Theme } from '@mui/material/styles';

/** How far a call gets: links before the first broken one work, and those after it are not reached. */
export const PROGRESSES = ['works', 'unneeded', 'broken', 'unreached'] as const;
export type Progress = (typeof PROGRESSES)[number];

/** The color of a link, with enough contrast for text on both themes. */
export function colorOf(progress: Progress): (theme: Theme) => string {
  return ({ palette }) => {
    const shade = palette.mode === 'dark' ? 'light' : 'dark';
    if (progress === 'works') return palette.success[shade];
    return progress === 'broken' ? palette.error[shade] : palette.text.secondary;
  };
}
