import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { fillDids } from '../data';
import { createMariadb, createSqlite, mariadbMissing, type BenchDatabase } from '../databases';
import { GATEWAYS } from './scale-cases';

const ROOT = resolve(__dirname, '../..');
const HISTORY = { without: ['-r', './bench/modes/without-history.js'], with: [] };
// From the sources, because the build is one file, in which nothing can be replaced.
const CLI = ['-r', '@swc-node/register'];
type Entries = keyof typeof HISTORY;

/** Measures how long the command line takes to import this many numbers, without and with entries in the history. */
export async function benchmarkImport(databases: readonly string[], numbers: number, rounds: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-import-'));
  try {
    const file = join(directory, 'numbers.csv');
    await writeFile(file, ['telUrl,aorLink,gwRef', ...Array.from({ length: numbers }, rowOf), ''].join('\n'));
    await writeFile(join(directory, 'none.csv'), 'telUrl,aorLink,gwRef\n');
    for (const name of databases) {
      const missing = name === 'mariadb' ? mariadbMissing() : undefined;
      if (missing) console.log(`\nMariaDB is skipped: ${missing}`);
      else await measure(name === 'mariadb' ? createMariadb : createSqlite, directory, rounds);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure(create: () => Promise<BenchDatabase>, directory: string, rounds: number): Promise<void> {
  const rows: Record<Entries, number>[] = [];
  let title = '';
  for (let round = 0; round < rounds; round++) {
    const row = { without: 0, with: 0 };
    for (const entries of ['without', 'with'] as const) {
      const database = await create();
      title = database.name;
      try {
        // Creates the tables.
        await importFile(database, directory, 'none.csv', 'with');
        await fillDids(database, 0, GATEWAYS);
        row[entries] = await importFile(database, directory, 'numbers.csv', entries);
      } finally {
        await database.drop();
      }
    }
    rows.push(row);
  }
  console.log(`\n${title}: seconds of an import, without and with its entries in the history`);
  console.table(rows.map((row) => ({ ...row, adds: `${((row.with / row.without - 1) * 100).toFixed(0)} %` })));
}

/** Imports a file in a process of its own. Returns the seconds that it took. */
async function importFile(database: BenchDatabase, directory: string, file: string, entries: Entries): Promise<number> {
  const start = performance.now();
  const options = ['--report', join(directory, 'report.csv')];
  const command = [...CLI, ...HISTORY[entries], 'src/cli.ts', 'import-numbers', join(directory, file), ...options];
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null]; // https://nodejs.org/api/child_process.html#event-exit
  if (code !== 0) throw new Error(`The import of ${file} ended with ${String(code)}`);
  return Math.round((performance.now() - start) / 100) / 10;
}

function rowOf(_: unknown, index: number): string {
  return `tel:+1${String(7_000_000_000 + index)},sip:${String(1000 + (index % 9000))}@sip.local,gw${String((index % GATEWAYS) + 1).padStart(6, '0')}`;
}
