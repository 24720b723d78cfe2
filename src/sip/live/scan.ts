import type { Fragment } from '../../database/fragment';
import type { Reads, Row } from '../../database/sql';

// A scan of a table with more rows runs as a heavy query.
const MAX_SCANNED = 5000;

/** Runs a query that may scan a table, as a heavy query if the table is large. Throws the errors of `Reads.heavy`. */
export async function scanTable(
  reads: Pick<Reads, 'atMost' | 'rows' | 'heavy'>,
  table: string,
  { text, values }: Fragment,
): Promise<readonly Row[]> {
  const isSmall = (await reads.atMost(table)) <= MAX_SCANNED;
  return isSmall ? reads.rows(text, values) : reads.heavy(text, values);
}
