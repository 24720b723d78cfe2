import { mayAct, type Role } from '../../auth/role';
import type { Page, SeekKey } from '../../database/page';
import { changesFor, type HistoryEntry } from '../../history/history-entry';
import type { HistoryQuery } from '../../history/history-query';
import type { HistoryReader } from '../../history/history-reader';
import { memoized } from '../../limits/memoized';
import type { Kind, Resource } from '../../model/kind';
import type { Model } from '../../model/model';
import { isoTime } from '../../resources/documents/iso-time';
import { toDocument } from '../../resources/documents/render';
import type { Filters } from '../../resources/lists/filters';
import type { Condition } from '../../resources/lists/list-query';
import type { ResourceReader } from '../../resources/read/resource-reader';
import { valuesOf } from '../../resources/read/row';
import { fieldsOnly, wholeOf } from '../../resources/read/selection';
import type { Call } from '../../sip/calls/call';
import type { CallQuery } from '../../sip/calls/call-query';
import type { CallReader } from '../../sip/calls/call-reader';
import { lineOf } from '../../spelling/csv';
import type { Exported, ExportFormat } from './export-job';

/** What an export reads through: the services of a request of its user. */
export interface ExportReads {
  readonly calls: Pick<CallReader, 'page' | 'count'>;
  readonly history: Pick<HistoryReader, 'page' | 'count'>;
  readonly resources: Pick<ResourceReader, 'page' | 'count'>;
  readonly filters: Filters;
}

/** The conditions on resources, as the connections of the graph have them. */
interface ResourceConditions {
  readonly where?: Readonly<Record<string, unknown>> | null;
  readonly filter?: string | null;
}

/** Compiles the conditions on resources. Throws InvalidInputError. */
export type ConditionOf = (kind: Kind, conditions: ResourceConditions, filters: Filters) => Condition | undefined;

/** The lines of a file. Each page of rows starts after the last row of the page before it. */
export interface Lines {
  /** The first line; empty in a format without one. */
  readonly header: string;
  page(after: SeekKey | null): Promise<LinesPage>;
  count(): Promise<number>;
}

interface LinesPage {
  readonly text: string;
  readonly rows: number;
  /** The seek key of the last row; null for a page without rows. */
  readonly last: SeekKey | null;
  readonly more: boolean;
}

/** Rows of a page: calls are small, and of bounded size. */
const CALLS = 1000;
const OTHERS = 100;

/** A list of rows of one type, and how they are written. */
interface Listed<Row> {
  readonly columns: readonly string[];
  readonly page: (after: SeekKey | undefined) => Promise<Page<Row>>;
  readonly count: () => Promise<number>;
  readonly keyOf: (row: Row) => SeekKey;
  /** In the order of the columns. */
  readonly values: (row: Row) => readonly unknown[];
  /** The object of a row in JSONL, if it is not that of its columns. */
  readonly document?: (row: Row) => object;
}

/** The lines of an export. Throws InvalidInputError for conditions that are wrong. */
export function linesOf(
  { source, format, asked, role }: Exported,
  reads: ExportReads,
  { kinds }: Pick<Model, 'kinds'>,
  conditionOf: ConditionOf,
): Lines {
  const conditions: unknown = JSON.parse(asked);
  if (source === 'calls') return writeLines(format, callsOf(reads, conditions as CallQuery)); // as ExportService stores them
  if (source === 'history') return writeLines(format, entriesOf(reads, conditions as HistoryQuery, role));
  const kind = kinds.find(({ collection }) => collection === source);
  if (!kind) throw new Error(`there is nothing called ${source} to export`);
  const condition = conditionOf(kind, conditions as ResourceConditions, reads.filters);
  return writeLines(format, resourcesOf(kind, reads, condition, { format, role }));
}

function writeLines<Row>(format: ExportFormat, listed: Listed<Row>): Lines {
  const { columns, keyOf, values, document } = listed;
  const members = (row: Row): object =>
    Object.fromEntries(values(row).map((value, n): [string, unknown] => [columns[n] ?? '', value]));
  const object = document ?? members;
  const line = (row: Row): string => (format === 'CSV' ? lineOf(values(row)) : `${JSON.stringify(object(row))}\n`);
  return {
    header: format === 'CSV' ? lineOf(columns) : '',
    count: listed.count,
    page: async (after) => {
      const { items, more } = await listed.page(after ?? undefined);
      const last = items.at(-1);
      return { text: items.map(line).join(''), rows: items.length, last: last ? keyOf(last) : null, more };
    },
  };
}

const CALL_COLUMNS = {
  id: ({ id }) => id,
  callId: ({ callId }) => callId,
  state: ({ state }) => state,
  direction: ({ direction }) => direction,
  from: ({ from }) => from,
  to: ({ to }) => to,
  called: ({ called }) => called,
  digits: ({ digits }) => digits,
  callerRef: ({ caller }) => caller?.ref,
  calleeRef: ({ callee }) => callee?.ref,
  gatewayRef: ({ gatewayRef }) => gatewayRef,
  begunOn: ({ begunOn }) => isoOf(begunOn),
  ringingOn: ({ ringingOn }) => isoOf(ringingOn),
  answeredOn: ({ answeredOn }) => isoOf(answeredOn),
  endedOn: ({ endedOn }) => isoOf(endedOn),
  endedBy: ({ endedBy }) => endedBy,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  reasonHeader: ({ reasonHeader }) => reasonHeader,
  source: ({ source }) => source,
  node: ({ node }) => node,
  // Last, because another version may have begun a file that this one continues.
  domainRef: ({ domainRef }) => domainRef,
  routeRef: ({ routeRef }) => routeRef,
} as const satisfies Readonly<Record<string, (call: Call) => unknown>>;

function callsOf({ calls }: ExportReads, query: CallQuery): Listed<Call> {
  return {
    columns: Object.keys(CALL_COLUMNS),
    page: (after) => calls.page({ after, limit: CALLS, backwards: false }, query),
    count: () => calls.count(query),
    keyOf: ({ seekKey }) => seekKey,
    values: (call) => Object.values(CALL_COLUMNS).map((read) => read(call) ?? null),
  };
}

const ENTRY_COLUMNS = [
  ...['entry', 'at', 'event', 'kind', 'ref', 'user', 'userRef', 'apiToken', 'way', 'address', 'request', 'changes'],
];

function entriesOf({ history }: ExportReads, query: HistoryQuery, role: Role): Listed<HistoryEntry> {
  const isForViewer = !mayAct(role, 'operator');
  return {
    columns: ENTRY_COLUMNS,
    page: (after) => history.page(query, { after, limit: OTHERS, backwards: false }, 'fields'),
    count: () => history.count(query),
    keyOf: ({ rowId }) => [rowId],
    values: (entry) => {
      const { rowId, at, event, kind, ref, username, userRef, apiToken, channel, address, requestId } = entry;
      const changes = changesFor(entry, isForViewer).map(({ field, before, after }) => ({ field, before, after }));
      return [
        ...[String(rowId), isoOf(at), event, kind, ref, username, userRef, apiToken, channel],
        ...[isForViewer ? null : address, requestId, changes],
      ].map((value) => value ?? null);
    },
  };
}

/** The fields of a kind that files have. */
const plainOf = memoized((kind: Kind) =>
  fieldsOnly('ref', 'rowId', ...kind.fields.filter(({ secret }) => secret !== true).map(({ name }) => name)),
);

function resourcesOf(
  kind: Kind,
  { resources }: ExportReads,
  condition: Condition | undefined,
  { format, role }: Pick<Exported, 'format' | 'role'>,
): Listed<Resource> {
  const fields = kind.fields.filter(({ secret }) => secret !== true);
  const selection = format === 'CSV' ? plainOf(kind) : wholeOf(kind);
  return {
    columns: ['ref', ...fields.map(({ name }) => name)],
    page: (after) => resources.page(kind, selection, { after, limit: OTHERS, backwards: false }, { condition }),
    count: () => resources.count(kind, { condition }),
    keyOf: ({ rowId }) => [rowId],
    values: (resource) => {
      const values = valuesOf(kind, resource);
      return [resource.ref, ...fields.map(({ name }) => values.get(name) ?? null)];
    },
    document: (resource) => toDocument(kind, resource, mayAct(role, 'operator') ? 'no secrets' : 'named'),
  };
}

function isoOf(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
