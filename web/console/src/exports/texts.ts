const STATES: Readonly<Record<string, string>> = { RUNNING: 'Running', DONE: 'Done', FAILED: 'Failed' };

/** The texts of exports. */
export const words = {
  export: 'Export…',
  title: (what: string) => `Export: ${what}`,
  about:
    'The file is written on the server, with what the filter selects now. It can be downloaded for an hour after that.',
  format: 'Format',
  formats: { CSV: 'CSV, for spreadsheets', JSONL: 'JSON, a line for each row' },
  start: 'Start',
  close: 'Close',
  list: 'Your exports',
  none: 'You have no exports.',
  columns: { file: 'File', state: 'State', action: 'Action' },
  running: 'Progress',
  progress: (state: string, rows: number, total: number | null) => {
    const of = total === null || total < rows ? '' : ` of ${total.toLocaleString('en')}`;
    return `${STATES[state] ?? state}, ${rows.toLocaleString('en')}${of} rows`;
  },
  downloadOf: (file: string) => `Download ${file}`,
  cancel: 'Cancel',
  cancelOf: (file: string) => `Cancel the export ${file}`,
  delete: 'Delete',
  deleteOf: (file: string) => `Delete the export ${file}`,
};
