import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty database for a test file. */
export interface TestDatabase {
  /** The value of DATABASE_URL. */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** SQLite in a temporary directory. */
export async function createSqliteDatabase(): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-test-'));
  return {
    url: `sqlite:${join(directory, 'sipgraph.db')}`,
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}
