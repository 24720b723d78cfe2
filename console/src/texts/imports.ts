/** The texts of import/. */
export const imports = {
  drop: 'Drop a CSV file with numbers, or a YAML or JSON file of Routr, or',
  choose: 'choose a file',
  columns: 'CSV needs a header row with telUrl, aorLink and gwRef, and optionally city, country and countryISOCode.',
  kind: 'Kind of the numbers',
  unreadable: 'The file is not a text in UTF-8. Save it in this encoding, and drop it again.',
  tooLarge: 'The file is larger than the server accepts in a request (BODY_LIMIT). Split it, or use the command line.',
  dryRun: 'Dry run: nothing is changed yet.',
  rejected: (failed: number) =>
    `${number(failed)} failed, so nothing was imported. Correct the file and drop it again.`,
  done: 'Imported.',
  start: (count: number) => `Import ${number(count)}`,
  undo: 'Undo',
  progress: (done: number, total: number) => `${number(done)} of ${number(total)} rows`,
  outcomes: { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged', FAILED: 'failed' },
  wouldBe: { CREATED: 'to create', UPDATED: 'to update', UNCHANGED: 'unchanged', FAILED: 'failed' },
  count: (count: number, outcome: string) => `${number(count)} ${outcome}`,
  headings: ['Line', 'Result', 'Resource', 'Errors'],
  rows: 'Rows of the file',
  shown: (count: number, total: number) => `The first ${number(count)} of ${number(total)} rows are shown.`,
} as const;

function number(value: number): string {
  return value.toLocaleString('en');
}
