import type { SqlValue, Transaction } from '../../database/sql';
import { openScratch, type Scratch } from '../../database/sqlite/scratch';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { writeLists } from '../../resources/lists/reference-lists';
import { changeDerivedRows } from '../../resources/lists/derived-rows';
import { columnsOf } from '../../resources/read/row';
import { valuesIn } from '../../resources/write/entry-details';
import { textsOf, type PastResources, type Then } from './past-resources';

// Rows that are written before other requests have a turn.
const TURN = 200;

/** A row for a table of the scratch database. */
export interface PastRow {
  readonly table: string;
  readonly columns: Readonly<Record<string, SqlValue>>;
}

/**
 * Opens a database in memory with the resources as they were, and further rows, so that the statements that explain a call now
 * explain one of that time. Resources have the row ids that they have now. The caller closes it.
 */
export async function openPast(
  model: Model,
  { all, domainNames }: PastResources,
  rows: readonly PastRow[],
): Promise<Scratch> {
  const scratch = await openScratch();
  try {
    await scratch.transaction.run('BEGIN', []);
    let written = 0;
    const pace = async (): Promise<void> => {
      if (++written % TURN === 0) await endOfTurn();
    };
    const ids = new Map<string, number>();
    for (const kind of model.inReferenceOrder)
      for (const then of all.filter((each) => each.kind === kind.name)) {
        const isWhole = await store(scratch.transaction, kind, then, ids, domainNames);
        await pace();
        if (!isWhole) continue;
        ids.set(`${kind.name} ref ${then.ref}`, then.rowId);
        if (kind.name === 'Domain') ids.set(`Domain domainUri ${String(then.values['domainUri'])}`, then.rowId);
      }
    for (const { table, columns } of rows) {
      await insert(scratch.transaction, table, columns);
      await pace();
    }
    await scratch.transaction.run('COMMIT', []);
    return scratch;
  } catch (error) {
    scratch.close();
    throw error;
  }
}

/** Stores a resource, unless something that it requires is not among the others. */
async function store(
  transaction: Transaction,
  kind: Kind,
  { ref, rowId, values: state }: Then,
  ids: ReadonlyMap<string, number>,
  domainNames: ReadonlyMap<string, string>,
): Promise<boolean> {
  const values = valuesIn(kind, state);
  const targets = new Map<string, readonly number[]>();
  for (const { name, required, refersTo } of kind.references) {
    const value = values.get(name);
    const named = typeof value === 'string' ? [value] : textsOf(value);
    const found = named.flatMap((each) => {
      const by = refersTo.by === 'ref' ? each : (domainNames.get(each) ?? each);
      return ids.get(`${refersTo.kind} ${refersTo.by} ${by}`) ?? [];
    });
    if (required && found.length === 0) return false;
    targets.set(name, [...new Set(found)]);
  }
  await insert(transaction, kind.table, {
    id: rowId,
    ref,
    created_on: Number(state['createdOn'] ?? 0),
    modified_on: Number(state['modifiedOn'] ?? 0),
    extra: null,
    ...(kind.shared && { kind: kind.name }),
    ...columnsOf(kind, values, targets),
  });
  await writeLists(transaction, kind, rowId, values, targets);
  await changeDerivedRows(transaction, kind, [{ rowId, before: new Map(), after: values }]);
  return true;
}

async function insert(transaction: Transaction, table: string, columns: PastRow['columns']): Promise<void> {
  const names = Object.keys(columns);
  await transaction.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    Object.values(columns),
  );
}
