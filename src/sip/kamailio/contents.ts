import type { Database } from '../../database/database';
import { OWNER, TABLES } from './tables';
import { viewsOf } from './views';

/** The tables and views of a schema. */
export interface Contents {
  /** The views and tables of an installation for this model. */
  readonly ours: readonly string[];
  readonly others: readonly string[];
}

/** The names of the tables and views that an installation creates. */
export const NAMES: readonly string[] = [
  ...Object.keys(TABLES),
  ...Object.keys(viewsOf({ model: '', schema: '', collation: '' })),
];

/** Returns the contents of a schema, which are empty if the schema does not exist. */
export async function contentsOf(database: Database, schema: string, model: string): Promise<Contents> {
  const rows = await database.rows(
    `SELECT t.table_name, v.view_definition, t.table_comment FROM information_schema.tables t LEFT JOIN information_schema.views v
       ON v.table_schema = t.table_schema AND v.table_name = t.table_name WHERE t.table_schema = ?`,
    [schema],
  );
  // With ANSI_QUOTES in sql_mode, names are in double quotes.
  const readsModel = (text: string): boolean => text.includes(`\`${model}\`.`) || text.includes(`"${model}".`);
  const views = Object.entries(viewsOf({ model, schema, collation: '' }));
  const named = views.map(([name]) => name);
  const silent = views.flatMap(([name, select]) => (readsModel(select) ? [] : name));
  const all = rows.map(([name, definition, comment]) => ({
    name: String(name),
    definition: String(definition ?? ''),
    comment: String(comment ?? ''),
  }));
  const sure = all.filter(
    ({ name, definition, comment }) =>
      (named.includes(name) && readsModel(definition)) || (name in TABLES && comment === OWNER),
  );
  // Some views read no table, so they cannot be identified. They count as ours if the schema has other views of ours,
  // or nothing else.
  const likely = all.filter(({ name, definition }) => silent.includes(name) && definition !== '');
  const ours = sure.length > 0 || likely.length === all.length ? [...sure, ...likely] : sure;
  return {
    ours: ours.map(({ name }) => name),
    others: all.filter((each) => !ours.includes(each)).map(({ name }) => name),
  };
}
