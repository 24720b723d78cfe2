import type { Role } from '../../auth/role';
import type { SeekKey } from '../../database/page';

export type ExportState = 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

export type ExportFormat = 'CSV' | 'JSONL';

/** For how long a file can be downloaded, in milliseconds. */
export const EXPORT_KEPT = 3_600_000;

/** Bytes that the files of all users take in the database. */
export const MOST_STORED = 4 * 1024 ** 3;

/** What is exported: a collection of resources, `calls` or `history`, as one who asked may see it. */
export interface Exported {
  readonly source: string;
  readonly format: ExportFormat;
  /** The conditions, as JSON. */
  readonly asked: string;
  readonly role: Role;
}

/** An export, which writes a file in the database. Times are milliseconds since the epoch. */
export interface ExportJob extends Exported {
  readonly rowId: number;
  readonly ref: string;
  readonly userRef: string;
  /** The API token that started it; null if a sign-in did. */
  readonly apiTokenRef: string | null;
  readonly state: ExportState;
  /** Rows of the file until now, and those that there were at the beginning; null if they were not counted. */
  readonly rows: number;
  readonly total: number | null;
  /** Bytes of the file until now. */
  readonly size: number;
  /** The seek key of the last row; null before the first. */
  readonly last: SeekKey | null;
  readonly problem: string | null;
  readonly createdOn: number;
  readonly finishedOn: number | null;
}

/** When the file is deleted; null while it is written. */
export function endOf({ finishedOn }: ExportJob): number | null {
  return finishedOn === null ? null : finishedOn + EXPORT_KEPT;
}

/** The name of the file. */
export function fileNameOf({ source, format }: Exported): string {
  return `${source}.${format.toLowerCase()}`;
}
