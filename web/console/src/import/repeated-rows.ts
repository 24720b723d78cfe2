import { numberIn } from '../../../../src/spelling/written';
import type { Row } from './run-import';
import { cellAt, type Sheet } from './sheet';
import { importTexts } from './texts';

const REF = 'ref';
/** The fields by which the server finds the resource of a row without a reference. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  Agent: ['username', 'domains'],
  DID: ['telUrl'],
  Domain: ['domainUri'],
  Gateway: ['host', 'port', 'username'],
  Number: ['telUrl'],
  Peer: ['username'],
  Route: ['domainRef', 'prefix'],
};

/**
 * The rows with the reference or the key of an earlier one, as failed, by line. The server would write both, one after the other, if
 * they are in different parts.
 */
export function repeatedRows(kind: string, sheet: Sheet): ReadonlyMap<number, Row> {
  const lines = new Map<string, number>();
  const repeated = new Map<number, Row>();
  const keys = KEYS[kind] ?? [];
  for (const row of sheet.rows) {
    const fields = cellAt(sheet, row, REF) === '' ? keys : [REF];
    const cells = fields.map((path) => textOf(path, cellAt(sheet, row, path)));
    const [field] = fields;
    if (field === undefined || cells.every((cell) => cell === '')) continue;
    const key = JSON.stringify([field, ...cells]);
    const earlier = lines.get(key);
    if (earlier === undefined) lines.set(key, row.line);
    else {
      const errors = [{ field, message: importTexts.repeats(earlier) }];
      repeated.set(row.line, { line: row.line, outcome: 'FAILED', kind, ref: null, errors });
    }
  }
  return repeated;
}

/** A cell as the server compares it: a number in one spelling, a host in lower case, and the first of several domains. */
function textOf(path: string, cell: string): string {
  const written = path === 'telUrl' ? numberIn(cell) : undefined;
  if (written) return written.number + written.parameters;
  const [first = ''] = path === 'domains' ? cell.split(/[\s,;]+/) : [cell];
  return ['domains', 'domainUri', 'host'].includes(path) ? first.toLowerCase() : first;
}
