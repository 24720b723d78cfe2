/** A file that the server writes. */
export interface Export {
  readonly ref: string;
  readonly source: string;
  readonly format: string;
  readonly state: string;
  readonly rows: number;
  readonly total: number | null;
  readonly problem: string | null;
  readonly address: string | null;
}

/** The result of EXPORTS. */
export interface Exports {
  readonly exports: readonly Export[];
}

export const EXPORTS = '{ exports { ref source format state rows total problem address } }';
export const START =
  'mutation StartExport($of: ExportOf!, $format: ExportFormat!) { startExport(of: $of, format: $format) { ref } }';
export const CANCEL = 'mutation CancelExport($ref: String!) { cancelExport(ref: $ref) }';
