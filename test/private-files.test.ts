import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startApp } from './support/app';
import { runCommand } from './support/command-line';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('Files with secrets', () => {
  let directory: string;
  let before: string;
  let mask: number;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sipgraph-files-'));
    before = process.cwd();
    mask = process.umask(0o000);
    process.chdir(directory);
  });

  afterEach(() => {
    process.chdir(before);
    process.umask(mask);
    rmSync(directory, { recursive: true });
  });

  const modesIn = (folder: string): object =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

  test('data/ and the database in it are accessible to their owner only, with any umask', async () => {
    const app = await startApp({ DATABASE_URL: 'sqlite:./data/sipgraph.db' });
    expect(modeOf('data')).toBe('700');
    expect(modesIn('data')).toEqual({ 'sipgraph.db': '600', 'sipgraph.db-wal': '600', 'sipgraph.db-shm': '600' });
    await app.close();
  });

  test('are closed to other users even if they already exist', async () => {
    mkdirSync('data');
    for (const name of ['x.db', 'x.db-journal']) writeFileSync(join('data', name), '');
    const app = await startApp({ DATABASE_URL: 'sqlite:./data/x.db' });
    expect(modeOf('data')).toBe('700');
    expect(new Set(Object.values(modesIn('data')))).toEqual(new Set(['600']));
    await app.close();
  });

  test('another directory keeps its mode, and the database in it is closed to other users', async () => {
    mkdirSync('shared');
    chmodSync('shared', 0o755);
    const app = await startApp({ DATABASE_URL: 'sqlite:./shared/x.db' });
    expect(modeOf('shared')).toBe('755');
    expect(new Set(Object.values(modesIn('shared')))).toEqual(new Set(['600']));
    await app.close();
  });

  test('a backup and an import report are closed to other users, even if they replace a file', async () => {
    const env = { DATABASE_URL: 'sqlite:./data/sipgraph.db' };
    await runCommand(env, 'migrate');
    expect((await runCommand(env, 'export', 'backup')).code).toBe(0);
    expect(modeOf('backup')).toBe('700');
    for (const name of readdirSync('backup')) chmodSync(join('backup', name), 0o644);
    expect((await runCommand(env, 'export', 'backup')).code).toBe(0);
    expect(new Set(Object.values(modesIn('backup')))).toEqual(new Set(['600']));

    writeFileSync('numbers.csv', 'telUrl,aorLink,gwRef\n+1706,sip:a@b,gw\n');
    writeFileSync('report.csv', '');
    await runCommand(env, 'import-numbers', 'numbers.csv', '--report', 'report.csv');
    expect(modeOf('report.csv')).toBe('600');
  });
});

describe('A report in CSV', () => {
  test('has no cell that a spreadsheet interprets as a formula', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sipgraph-csv-'));
    const report = join(directory, 'report.csv');
    const cells = ['=1+1', '+1706', '-1', '@SUM(1)', '＝1', '＋1', '=HYPERLINK("http://x.test")'];
    const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}",sip:a@b.test,gw`);
    writeFileSync(join(directory, 'numbers.csv'), `telUrl,aorLink,gwRef\n${quoted.join('\n')}\n`);
    const env = { DATABASE_URL: `sqlite:${join(directory, 'x.db')}` };
    await runCommand(env, 'import-numbers', join(directory, 'numbers.csv'), '--report', report);
    const lines = readFileSync(report, 'utf8').trim().split('\n').slice(1);
    expect(lines).toHaveLength(cells.length);
    for (const [index, line] of lines.entries()) {
      const cell = line.slice(line.indexOf(',') + 1);
      expect(cell).toMatch(/^"?'/);
      expect(cell.replaceAll('""', '"')).toContain(cells[index]);
    }
    rmSync(directory, { recursive: true });
  });
});
