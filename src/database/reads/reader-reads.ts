import type { Database } from '../database';
import type { KeyedRead, Reader, Reads, Row, SqlValue } from '../sql';

/** The reads of one request. They do not start once the request is over. A class, because every request makes one. */
export class ReaderReads implements Reads {
  constructor(
    protected readonly database: Database,
    private readonly reader: Reader,
  ) {}

  get history(): object {
    return this.database.history;
  }

  rows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.refused() ?? this.database.rows(text, values, this.reader.request);
  }

  unorderedRows(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.refused() ?? this.database.unorderedRows(text, values, this.reader.request);
  }

  rowByKey(read: KeyedRead, key: SqlValue): Promise<Row | undefined> {
    return this.refused() ?? this.database.rowByKey(read, key, this.reader.request);
  }

  heavy(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.database.heavyFor(this.reader, text, values);
  }

  atMost(table: string): Promise<number> {
    return this.database.atMost(table);
  }

  private refused(): Promise<never> | undefined {
    const over = this.reader.request?.over;
    return over && Promise.reject(over);
  }
}
