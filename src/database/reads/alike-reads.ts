import { failureOf } from '../errors';
import { Needs, type Need, type Row, type SqlValue } from '../sql';

/** Sends a statement to the database, which may stop it once `need` is over. */
export type Send = (text: string, values: readonly SqlValue[], need?: Need) => Promise<readonly Row[]>;

/** A read that waits for its statement. */
export interface WaitingRead {
  readonly values: readonly SqlValue[];
  readonly need: Need;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

// The numbers of reads in one statement. Each number needs a prepared statement of its own, so there are few.
const SIZES = [1, 2, 3, 4, 6, 8, 12, 16] as const;
const MAX_READS = 16;
/**
 * Longer texts are not combined. A text has at least one character (`?`) for each value, so a combined statement also
 * stays within the limit of 65,535 values.
 */
const MAX_LENGTH = 4000;

/**
 * Sends reads that have the same text and different values in few statements. A statement is one read or the UNION ALL
 * of up to 16 reads. Other numbers of reads than those in SIZES are filled up with copies of the last read. The rows of
 * a read arrive in no particular order. If the database rejects a combined statement, or it times out, its reads are
 * sent separately, because the values of a single read may be the cause.
 */
export function sendAlike(send: Send, text: string, reads: readonly WaitingRead[]): void {
  const most = text.length <= MAX_LENGTH ? MAX_READS : 1;
  for (let start = 0; start < reads.length; start += most) {
    const part = reads.slice(start, start + most);
    if (part.length === 1) sendAlone(send, text, part);
    else void sendTogether(send, text, part);
  }
}

function sendAlone(send: Send, text: string, reads: readonly WaitingRead[]): void {
  for (const { values, need, resolve, reject } of reads) void send(text, values, need).then(resolve, reject);
}

async function sendTogether(send: Send, text: string, reads: readonly WaitingRead[]): Promise<void> {
  const found: Row[][] = reads.map(() => []);
  try {
    const size = SIZES.find((each) => each >= reads.length) ?? MAX_READS;
    const copies = Array.from({ length: size - reads.length }, () => reads.at(-1)?.values ?? []);
    const needs = new Needs();
    for (const { need } of reads) needs.add(need);
    const rows = await send(combined(text, size), [...reads.map(({ values }) => values), ...copies].flat(), needs);
    // The rows of the copies have no place in `found`.
    for (const row of rows) found[Number(row[0])]?.push(row.slice(1));
  } catch (error) {
    const { type } = failureOf(error);
    if (['refused-pattern', 'slow', 'other'].includes(type)) sendAlone(send, text, reads);
    else for (const { reject } of reads) reject(error);
    return;
  }
  for (const [index, { resolve }] of reads.entries()) resolve(found[index] ?? []);
}

/** The UNION ALL of a number of reads. The first column is the index of the read. */
function combined(text: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `(${text.replace('SELECT ', `SELECT ${String(index)}, `)})`).join(
    ' UNION ALL ',
  );
}
