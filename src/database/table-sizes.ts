import { toDomainError } from './errors';
import type { Row } from './sql';

// Milliseconds for which the size of a table is cached.
const TTL = 5000;

/** Upper bounds for the number of rows of tables, cached for a few seconds. */
export class TableSizes {
  private readonly sizes = new Map<string, { readonly rows: Promise<number>; readonly until: number }>();

  constructor(private readonly read: (text: string) => Promise<readonly Row[]>) {}

  /**
   * Returns the highest id of the table. There are at most that many rows, because ids start at 1, ascend, and are not
   * reused.
   */
  atMost(table: string): Promise<number> {
    const now = performance.now();
    const cached = this.sizes.get(table);
    if (cached && cached.until > now) return cached.rows;
    const rows = this.highestId(table);
    this.sizes.set(table, { rows, until: now + TTL });
    rows.catch(() => this.sizes.delete(table));
    return rows;
  }

  private async highestId(table: string): Promise<number> {
    try {
      const [row] = await this.read(`SELECT MAX(id) FROM ${table}`);
      return Number(row?.[0] ?? 0);
    } catch (error) {
      throw toDomainError(error);
    }
  }
}
