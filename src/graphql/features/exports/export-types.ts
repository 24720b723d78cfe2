import { Float, GraphQLISODateTime } from 'type-graphql';

import type { ExportFormat, ExportState } from '../../../jobs/exports/export-job';
import type { Kind } from '../../../model/kind';
import { argsOf, enumOf, nullable, objectOf, withDefault } from '../../schema/type-tables';
import { addInputField as add, declareInput, type InputClass } from '../../schema/filter-types';
import { whereOf } from '../../schema/where-types';
import { CallWhere } from '../calls/call-types';
import { HistoryWhere } from '../history-types';

const ExportStateEnum = enumOf<ExportState>('ExportState', 'The state of an export.', {
  RUNNING: 'It waits for its turn, or is being written.',
  DONE: 'The file is complete.',
  FAILED: 'It ended before the file was complete: see `problem`.',
  CANCELLED: 'It was cancelled: it is no longer listed, and its file is deleted.',
});

const ExportFormatEnum = enumOf<ExportFormat>('ExportFormat', 'The format of a file.', {
  CSV: 'A header, and a line for each row. That of resources is what `importCsv` reads. No cell is a formula.',
  JSONL:
    'A JSON object on each line: a document of a resource as in REST, without secrets, or the columns of CSV as members.',
});

/** An export in GraphQL. */
export const ExportType = objectOf('Export', 'A file that is written in the background.', {
  ref: [String, 'Reference of the export.'],
  source: [String, 'What is exported: `calls`, `history` or a list of resources, such as `agents`.'],
  format: [ExportFormatEnum, 'The format.'],
  state: [ExportStateEnum, 'The state.'],
  rows: [Float, 'Rows in the file until now.'],
  total: [
    nullable(Float),
    'Rows that there were at the beginning; null until they are counted, and if that takes too long.',
  ],
  size: [Float, 'Bytes of the file until now.'],
  problem: [nullable(String), 'Why it failed; null otherwise.'],
  createdOn: [GraphQLISODateTime, 'When it was started.'],
  finishedOn: [nullable(GraphQLISODateTime), 'When it ended; null while it runs.'],
  address: [
    nullable(String),
    'Path and query of the file, which needs no token: whoever has it can download the file until `expiresOn`, also in parts (Range). Null until the file is complete.',
  ],
  expiresOn: [
    nullable(GraphQLISODateTime),
    'When the file and the export are deleted: an hour after `finishedOn`; null while it runs.',
  ],
});
export type ExportType = InstanceType<typeof ExportType>;

/** Returns the type of what is exported: a member for each list, of which one is given. */
export function exportOf(kinds: readonly Kind[]): InputClass {
  const type = declareInput('ExportOf', 'What to export: exactly one member, with its conditions; `{}` selects all.');
  add(type, 'calls', () => CallWhere, 'Calls, newest first.');
  add(type, 'history', () => HistoryWhere, 'Entries of the history, newest first.');
  for (const kind of kinds)
    add(type, kind.collection, () => whereOf(kind), `Resources of the kind ${kind.name}, in creation order.`);
  return type;
}

/** The arguments of `startExport` besides what is exported. */
export const ExportArgs = argsOf({
  format: [withDefault(ExportFormatEnum, 'CSV'), 'The format.'],
  filter: [nullable(String), 'Export only resources that match this JsonPath predicate, as in lists.'],
});
export type ExportArgs = InstanceType<typeof ExportArgs>;
