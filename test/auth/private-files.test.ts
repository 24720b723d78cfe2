import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { startApp } from '../support/app';
import { runCommand } from '../support/command-line';

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

describe("Kamailio's configuration", () => {
  const PASSWORD = 'kamailio-secret';
  let directory: string;
  let mask: number;
  let file: string;
  // A group that is not the one of a new file, if this user may give a file to another one.
  const [own = 0] = [process.getgid?.()];
  const other = process.getuid?.() === 0 ? { name: 'daemon', id: 1 } : { name: String(own), id: own };

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sipgraph-config-'));
    file = join(directory, 'kamailio.cfg');
    mask = process.umask(0o000);
  });

  afterEach(() => {
    process.umask(mask);
    rmSync(directory, { recursive: true });
  });

  const config = (...options: readonly string[]): ReturnType<typeof runCommand> =>
    runCommand(
      { DATABASE_URL: 'mysql://u:p@127.0.0.1/x' },
      ...['kamailio', 'config', ...(options.includes('--password') ? [] : ['--password', PASSWORD]), ...options],
    );

  test('is readable by its owner only, with any umask, and not printed', async () => {
    expect(await config('--output', file)).toEqual({
      code: 0,
      out: `Wrote ${file}, which only its owner can read.\n`,
      err: '',
    });
    expect(modeOf(file)).toBe('600');
    expect(readFileSync(file, 'utf8')).toContain(PASSWORD);
    expect(readFileSync(file, 'utf8')).toBe((await config()).out);
    expect(readdirSync(directory)).toEqual(['kamailio.cfg']);
  });

  test.each([[other.name], [String(other.id)]])('is readable by the group %s, too', async (group) => {
    const { code, out } = await config('--output', file, '--group', group, '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { file, mode: '0640' }]);
    expect([modeOf(file), statSync(file).gid]).toEqual(['640', other.id]);
  });

  test('replaces a file that others can read, and that has another name', async () => {
    const link = join(directory, 'link');
    writeFileSync(file, 'before');
    linkSync(file, link);
    const reader = openSync(file, 'r');
    expect((await config('--output', file)).code).toBe(0);
    expect([modeOf(file), readFileSync(file, 'utf8').includes(PASSWORD)]).toEqual(['600', true]);
    expect(readFileSync(reader, 'utf8')).toBe('before');
    expect([modeOf(link), readFileSync(link, 'utf8')]).toEqual(['666', 'before']);
    closeSync(reader);
  });

  test.each([
    ['a symbolic link', (path: string) => symlinkSync('elsewhere', path), 'is a symbolic link: name a file'],
    ['a directory', (path: string) => mkdirSync(path), 'is not a file: name a file'],
  ])('is not written to %s', async (_, create, reason) => {
    for (const target of ['without a target', 'with a target']) {
      if (target === 'with a target') writeFileSync(join(directory, 'elsewhere'), 'before');
      else create(file);
      const { code, err } = await config('--output', file);
      expect([code, err]).toEqual([1, `${file} ${reason}\n`]);
    }
    expect(readFileSync(join(directory, 'elsewhere'), 'utf8')).toBe('before');
    expect(readdirSync(directory).sort()).toEqual(['elsewhere', 'kamailio.cfg']);
  });

  test.each([
    ['for an unknown group', ['--group', 'no-such-group'], 'There is no group no-such-group\n'],
    ['for a group that is an option', ['--group=--help'], 'There is no group --help\n'],
  ])('is not replaced %s', async (_, options, reason) => {
    writeFileSync(file, 'before');
    const { code, out, err } = await config('--output', file, ...options);
    expect([code, out, err]).toEqual([1, '', reason]);
    expect([readFileSync(file, 'utf8'), ...readdirSync(directory)]).toEqual(['before', 'kamailio.cfg']);
  });

  test('needs a directory, and a file for a group', async () => {
    const { code, err } = await config('--output', join(directory, 'none', 'kamailio.cfg'));
    expect([code, err]).toEqual([1, expect.stringMatching(/none\/kamailio\.cfg: no such file or directory\n$/)]);
    expect(await config('--group', other.name)).toEqual({ code: 1, out: '', err: '--group needs --output\n' });
  });

  test('is written as the documentation says', async () => {
    const page = readFileSync('docs/kamailio.md', 'utf8');
    // The test of the ten commands runs those for TLS, whose certificate it makes.
    const commands = page.match(/^ *npx sipgraph kamailio config --password (?!.*--tls).*$/gm) ?? [];
    const modes: unknown[] = [];
    // One after the other, because each one takes over the output of this process.
    for (const command of commands) {
      const words = command.trim().split(' ').slice(4);
      const [output, group] = ['--output', '--group'].map((name) =>
        words.includes(name) ? words[words.indexOf(name) + 1] : undefined,
      );
      expect([command, words.includes('--output')]).toEqual([command, true]);
      const path = join(directory, basename(output ?? ''));
      const given = words.map((word) => (word === output ? path : word === group ? other.name : word));
      expect(await config(...given)).toMatchObject({ code: 0, err: '' });
      modes.push([modeOf(path), words.includes('--group')]);
    }
    expect(modes).toEqual([
      ['600', false],
      ['600', false],
      ['640', true],
    ]);
  });
});

describe('A report in CSV', () => {
  test('has no cell that a spreadsheet interprets as a formula', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sipgraph-csv-'));
    const report = join(directory, 'report.csv');
    const cells = ['=1+1', '+x1', '-x1', '@SUM(1)', '＝1', '＋x1', '=HYPERLINK("http://x.test")'];
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
