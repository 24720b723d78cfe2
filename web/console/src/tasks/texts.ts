import { counted, number } from '../texts';

/** The texts of changes that are made in the background. */
export const words = {
  gone: 'Another change of yours in the background has taken its place.',
  progress: {
    CHECKING: (done: number, total: number | null) => `Checking, without a change: ${partOf(done, total)}`,
    WRITING: (done: number, total: number | null) => `Writing: ${partOf(done, total)}`,
  },
  hint: 'You can leave this page: the server goes on.',
  stop: 'Stop',
  leave: 'Close',
  large: 'This is undone in the background, in pieces, without a preview. Others can work meanwhile.',
  running: 'An undo of yours is running.',
  undone: (count: number) => `${counted(count, 'change')} undone`,
  stoppedUndo: (count: number, problem: string) =>
    `It stopped after ${counted(count, 'change')}${problem === '' ? '.' : `: ${problem}`} Undo again to go on.`,
} as const;

function partOf(done: number, total: number | null): string {
  return total === null ? counted(done, 'record') : `${number(done)} of ${counted(total, 'record')}`;
}
