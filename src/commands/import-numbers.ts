import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';

import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';

import { noteChange } from '../changes/outbox';
import type { Database } from '../database/database';
import { padded, places, type SqlValue, type OwnTransaction } from '../database/sql';
import { DomainError, InvalidInputError } from '../errors';
import { changesOf, merged, type Input, type Values } from '../resources/input';
import type { Kind } from '../model/kind';
import { newRef } from '../resources/resource-service';
import { columnsOf } from '../resources/row';
import { CommandError } from './answer';
import { openPrivateFile } from './private-file';

/** How an import of numbers ended; with failed rows, nothing was kept. */
export interface NumbersReport {
  readonly rows: number;
  readonly created: number;
  /** Rows whose number was there before, with the same gateway and address of record. */
  readonly unchanged: number;
  readonly failed: number;
}

interface Row {
  readonly line: number;
  readonly values: Values;
}

const BATCH = 500;
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  telUrl: ['telUrl'],
  aorLink: ['aorLink'],
  gwRef: ['gatewayRef'],
  city: ['geoInfo', 'city'],
  country: ['geoInfo', 'country'],
  countryISOCode: ['geoInfo', 'countryISOCode'],
};

class Undone extends Error {}

/**
 * Makes a Number (or a DID) of every row of a CSV file, all or none, in batches: memory does not grow with the file. What
 * became of each row goes into `report`, another CSV file.
 */
export async function importNumbers(
  database: Database,
  file: string,
  options: { readonly kind: Kind; readonly report: string; readonly progress: (rows: number) => void },
): Promise<NumbersReport> {
  const { kind } = options;
  if (resolve(options.report) === resolve(file)) throw new CommandError(`${file} cannot be its own report`);
  await access(file, constants.R_OK);
  let counts = { rows: 0, created: 0, unchanged: 0, failed: 0 };
  // A deadlock has it run again, from the start.
  const attempt = async (transaction: OwnTransaction): Promise<void> => {
    counts = { rows: 0, created: 0, unchanged: 0, failed: 0 };
    const report = (await openPrivateFile(options.report)).createWriteStream();
    const tell = async (line: number | 'line', telUrl: string, result: string, message = ''): Promise<void> => {
      if (!report.write(stringify([[line, telUrl, result, message]], { escape_formulas: true })))
        await once(report, 'drain');
    };
    try {
      await tell('line', 'telUrl', 'result', 'message');
      const importer = new NumberImporter(transaction, kind, tell, counts);
      await importer.begin();
      let batch: Row[] = [];
      const rows = parse({ columns: headerOf, bom: true, trim: true, skip_empty_lines: true, info: true });
      // Where it fails, so does the iteration over the rows.
      pipeline(createReadStream(file), rows, () => undefined);
      for await (const item of rows) {
        const { record, info } = item as { record: Readonly<Record<string, string>>; info: { lines: number } };
        counts.rows++;
        const row = await importer.read(record, info.lines);
        if (row) batch.push(row);
        if (batch.length === BATCH) {
          await importer.write(batch);
          batch = [];
        }
        if (counts.rows % BATCH === 0) options.progress(counts.rows);
      }
      await importer.write(batch);
      options.progress(counts.rows);
    } finally {
      report.end();
      await once(report, 'finish');
    }
    if (counts.failed > 0) throw new Undone();
  };
  try {
    await database.transaction(attempt);
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return counts;
}

function headerOf(names: readonly string[]): string[] {
  const known = names.map((name) => Object.keys(COLUMNS).find((each) => each.toLowerCase() === name.toLowerCase()));
  const strange = names.filter((_, index) => known[index] === undefined);
  const lacking = ['telUrl', 'aorLink', 'gwRef'].filter((name) => !known.includes(name));
  if (strange.length === 0 && lacking.length === 0) return known as string[]; // none is strange
  const says = [...strange.map((name) => `unknown column ${name}`), ...lacking.map((name) => `no column ${name}`)];
  throw InvalidInputError.of('header', `${says.join(', ')}; known are ${Object.keys(COLUMNS).join(', ')}`);
}

class NumberImporter {
  /** Rows above this one are of this import. */
  private last = 0;
  private readonly gateways = new Map<string, number | undefined>();

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly kind: Kind,
    private readonly tell: (line: number, telUrl: string, result: string, message?: string) => Promise<void>,
    private readonly counts: { created: number; unchanged: number; failed: number },
  ) {}

  async begin(): Promise<void> {
    const [row] = await this.transaction.rows('SELECT MAX(id) FROM numbers', []);
    this.last = Number(row?.[0] ?? 0);
  }

  /** The row's values; undefined, and told, where it is malformed. */
  async read(record: Readonly<Record<string, string>>, line: number): Promise<Row | undefined> {
    try {
      return { line, values: merged(this.kind, changesOf(this.kind, inputOf(record), true)) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.fail(
        line,
        record['telUrl'] ?? '',
        error.issues.map(({ field, message }) => `${field}: ${message}`).join('; '),
      );
      return undefined;
    }
  }

  async write(batch: readonly Row[]): Promise<void> {
    if (batch.length === 0) return;
    await this.findGateways(batch);
    const there = await this.numbersThere(batch);
    const fresh: Row[] = [];
    for (const row of batch) {
      const telUrl = text(row, 'telUrl');
      const gateway = this.gateways.get(text(row, 'gatewayRef'));
      const known = there.get(telUrl);
      if (gateway === undefined) {
        await this.fail(row.line, telUrl, `gwRef: Gateway "${text(row, 'gatewayRef')}" does not exist`);
      } else if (known?.mine) await this.fail(row.line, telUrl, 'telUrl: is in this file already');
      else if (known) await this.compare(row, known, gateway);
      else {
        fresh.push(row);
        there.set(telUrl, { mine: true, gateway, aorLink: text(row, 'aorLink') });
        await this.tell(row.line, telUrl, 'created');
      }
    }
    await this.insert(fresh);
    this.counts.created += fresh.length;
  }

  private async compare(row: Row, known: There, gateway: number): Promise<void> {
    const telUrl = text(row, 'telUrl');
    if (known.gateway === gateway && known.aorLink === text(row, 'aorLink')) {
      this.counts.unchanged++;
      await this.tell(row.line, telUrl, 'unchanged');
    } else await this.fail(row.line, telUrl, 'telUrl: exists already, with another gateway or aorLink');
  }

  private async fail(line: number, telUrl: string, message: string): Promise<void> {
    this.counts.failed++;
    await this.tell(line, telUrl, 'failed', message);
  }

  private async findGateways(batch: readonly Row[]): Promise<void> {
    const refs = [...new Set(batch.map((row) => text(row, 'gatewayRef')))].filter((ref) => !this.gateways.has(ref));
    if (refs.length === 0) return;
    // As many as there are gateways, and no more: refs that are not there are asked for again.
    const keys = padded(refs, '');
    const rows = await this.transaction.rows(
      `SELECT ref, id FROM gateways WHERE ref IN (${places(keys.length)})`,
      keys,
    );
    for (const [ref, id] of rows) this.gateways.set(String(ref), Number(id));
  }

  private async numbersThere(batch: readonly Row[]): Promise<Map<string, There>> {
    const keys = padded(
      batch.map((row) => text(row, 'telUrl')),
      '',
    );
    const rows = await this.transaction.rows(
      `SELECT tel_url, id, gateway_id, aor_link FROM numbers WHERE kind = ? AND tel_url IN (${places(keys.length)})`,
      [this.kind.name, ...keys],
    );
    return new Map(
      rows.map(([telUrl, id, gateway, aorLink]) => [
        String(telUrl),
        { mine: Number(id) > this.last, gateway: Number(gateway), aorLink: String(aorLink) },
      ]),
    );
  }

  /** Among a hundred thousand refs of 32 bits, two are alike by chance. */
  private async newRefs(count: number): Promise<readonly string[]> {
    const refs = new Set<string>();
    while (refs.size < count) {
      while (refs.size < count) refs.add(newRef(this.kind));
      const keys = padded([...refs], '');
      const taken = await this.transaction.rows(
        `SELECT ref FROM numbers WHERE kind = ? AND ref IN (${places(keys.length)})`,
        [this.kind.name, ...keys],
      );
      for (const [ref] of taken) refs.delete(String(ref));
    }
    return [...refs];
  }

  private async insert(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const now = Date.now();
    const refs = await this.newRefs(rows.length);
    const all = rows.map((row, index): Readonly<Record<string, SqlValue>> => {
      const gateway = this.gateways.get(text(row, 'gatewayRef')) ?? 0;
      return {
        ...{ ref: refs[index] ?? newRef(this.kind), created_on: now, modified_on: now, kind: this.kind.name },
        ...columnsOf(this.kind, row.values, new Map([['gatewayRef', [gateway]]])),
      };
    });
    const columns = Object.keys(all[0] ?? {});
    const each = `(${places(columns.length)})`;
    await this.transaction.run(
      `INSERT INTO numbers (${columns.join(', ')}) VALUES ${all.map(() => each).join(', ')}`,
      all.flatMap((row) => Object.values(row)),
    );
    for (const { ref } of all) noteChange(this.transaction, this.kind.name, String(ref), 'CREATED');
  }
}

interface There {
  readonly mine: boolean;
  readonly gateway: number;
  readonly aorLink: string;
}

function text({ values }: Row, name: string): string {
  return String(values.get(name) ?? '');
}

/** A row in the graph's names; an empty cell is nothing. */
function inputOf(record: Readonly<Record<string, string>>): Input {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const [first = '', second] = COLUMNS[name] ?? [];
    if (value === '') continue;
    if (second === undefined) input[first] = value;
    else input[first] = { ...(input[first] as object | undefined), [second]: value };
  }
  return input;
}
