import type { ReactNode } from 'react';

import { counted, number, sentence } from '../texts';

/** The texts of imports, which are loaded with their page. */
export const importTexts = {
  drop: (choose: ReactNode) => sentence('Drop a CSV file, or a YAML or JSON file of Routr, or ', choose),
  choose: 'choose a file',
  columns:
    'CSV needs a header row, and may be separated by commas, semicolons or tabs. A gateway or another resource may be named. An export of the console can be imported again.',
  moving: (where: ReactNode) => sentence('From a dump of Kamailio, dSIPRouter or Routr v2: ', where, '.'),
  movingCommand: 'sipgraph import-from',
  paste: 'Or paste rows with their header',
  read: 'Read the rows',
  pasted: 'Pasted rows',
  kind: 'Kind of the rows',
  sample: (kind: string) => `Sample file: ${kind}`,
  unreadable: 'The file is not a text in UTF-8. Save it in this encoding, and drop it again.',
  tooLarge: 'A part of the file is larger than the server accepts in a request (BODY_LIMIT). Use the command line.',
  tooBig: (megabytes: number) => `The file has more than ${number(megabytes)} MB. Split it, or use the command line.`,
  tooWide: (count: number, most: number) =>
    `The file has ${counted(count, 'column')}, and at most ${number(most)} can be read. Is the first line a header, and are cells separated by commas, semicolons or tabs?`,
  unclosed: (line: number) => `Line ${number(line)} has a quote at the start of a cell that is not closed.`,
  cutOff: (line: number) =>
    `The file ends within line ${number(line)}, which has fewer cells than the header: it is not complete. Empty cells would clear fields.`,
  repeats: (line: number) => `duplicates line ${number(line)}`,
  tooLong: (line: number) => `Line ${number(line)} has more cells than the header.`,
  empty: 'The file has no rows below a header.',
  nothing: 'Choose a field for at least one column.',
  mapping: (known: number, all: number) => `Columns: ${number(known)} of ${number(all)} are imported`,
  mappingColumns: ['Column of the file', 'First value', 'Field'],
  fieldOf: (heading: string) => `Field of the column ${heading}`,
  ignored: 'Not imported',
  unnamed: (position: number) => `Column ${number(position)}`,
  mend: 'Rows to mend',
  mendHint: 'Correct the marked cells here, and check again. A file itself stays as it is.',
  cell: (field: string, line: number) => `${field}, line ${number(line)}`,
  line: 'Line',
  errors: 'Errors',
  check: 'Check again',
  mendable: (shown: number, all: number) => `The first ${number(shown)} of ${number(all)} wrong rows are shown.`,
  ringNot: (count: number) => `${counted(count, 'number')} will not ring when imported:`,
  reasons: 'Why numbers will not ring',
  reason: (count: number, line: number, why: string) =>
    `${counted(count, 'number')}, first on line ${number(line)}: ${why}`,
  moreReasons: (count: number) => `and ${counted(count, 'other reason')}`,
  dryRun: 'Dry run: nothing is changed yet.',
  rejected: (failed: number) =>
    `${number(failed)} failed, so nothing was imported. Correct the rows below, or import a corrected version.`,
  partly: (failed: number) =>
    `${number(failed)} failed. The rows of the parts before were imported, the others were not.`,
  partlyWaiting: (failed: number) =>
    `${number(failed)} failed. The rows of the parts before were imported and come back unless they are confirmed, the others were not.`,
  done: 'Imported.',
  start: (count: number) => `Import ${number(count)}`,
  parts: (count: number) =>
    `The file is too large for one request: it is imported in ${counted(count, 'part')}, each as a whole or not at all.`,
  noWaiting: (most: number) =>
    `The import cannot wait for a confirmation: at most ${number(most)} changes are taken back as one. Drop smaller files to try them for a time.`,
  noLater: (count: number) =>
    `The file cannot be imported at a later time, because it is too large for one request: its ${counted(count, 'part')} are made as they are sent, and come back together.`,
  undo: (part: number, of: number) => (of === 1 ? 'Undo' : `Undo part ${number(part)}`),
  checking: (progress = '') => `Checking, without a change… ${progress}`,
  importing: (progress = '') => `Importing… ${progress}`,
  leave:
    'The import goes on without this page only to the end of the part that is being sent, and its Undo will be in the history. Leave?',
  progress: (done: number, total: number) => `${number(done)} of ${number(total)} rows`,
  outcomes: { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged', FAILED: 'failed' },
  wouldBe: { CREATED: 'to create', UPDATED: 'to update', UNCHANGED: 'unchanged', FAILED: 'failed' },
  count: (count: number, outcome: string) => `${number(count)} ${outcome}`,
  headings: ['Line', 'Result', 'Resource', 'Errors'],
  rows: 'Rows of the file',
  error: (field: string | null, message: string) => (field === null ? message : `${field}: ${message}`),
  shown: (count: number, total: number) => `The first ${number(count)} of ${number(total)} rows are shown.`,
} as const;
