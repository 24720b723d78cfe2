import { counted } from './counted';

/** The texts of bulk/. */
export const bulk = {
  change: 'Change',
  allMatching: 'All that match',
  changeAll: 'Change all…',
  deleteAll: 'Delete all…',
  export: 'Export as CSV',
  field: 'Add a field to change',
  fieldHint: 'Fields that you do not add keep their values. A field without a value is cleared.',
  keep: (field: string) => `Do not change ${field}`,
  preview: 'Preview',
  back: 'Back',
  close: 'Close',
  undo: 'Undo',
  busy: 'Please wait',
  sample: 'The first that change',
  columns: ['Reference', 'Field', 'Before', 'After'],
  secret: 'a secret',
  heading: (type: 'update' | 'delete', kinds: string, count: number | undefined) =>
    `${type === 'update' ? 'Change' : 'Delete'} ${count === undefined ? 'all that match' : `${number(count)} selected`}: ${kinds}`,
  summary: (step: 'preview' | 'done', type: 'update' | 'delete', count: number, changed: number): string => {
    const what = type === 'update' ? 'changed' : 'deleted';
    if (step === 'done') return `${number(changed)} of ${number(count)} ${what}.`;
    return `${number(changed)} of ${number(count)} will be ${what}.${changed > 10 ? ' The first ten:' : ''}`;
  },
  confirm: (type: 'update' | 'delete', count: number) => `${type === 'update' ? 'Change' : 'Delete'} ${number(count)}`,
  exportTitle: (kinds: string) => `Export: ${kinds}`,
  exporting: (rows: number, total: number | undefined) =>
    `${number(rows)}${total === undefined ? '' : ` of ${number(total)}`} rows read`,
  exported: (rows: number) => `${counted(rows, 'row')} saved.`,
  incomplete: (most: number) => `The file contains the first ${number(most)} rows only. Narrow the filter.`,
} as const;

function number(value: number): string {
  return value.toLocaleString('en');
}
