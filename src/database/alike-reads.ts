import { failureOf } from './errors';
import type { Row, SqlValue } from './sql';

/** Sends a statement to the database. */
export type Send = (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;

/** A read that waits for its statement. */
export interface WaitingRead {
  readonly values: readonly SqlValue[];
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

// The maximum number of reads in one statement. Must be a power of two.
const MAX_READS = 16;
/**
 * Longer texts are not combined. A text has at least one character (`?`) for each value, so a combined statement also
 * stays within the limit of 65,535 values.
 */
const MAX_LENGTH = 4000;

/**
 * Sends reads that have the same text and different values in few statements. A statement is one read or the UNION ALL
 * of 2, 4, 8 or 16 reads, so each text has at most five forms to prepare. The rows of a read arrive in no particular
 * order. If the database rejects a combined statement, its reads are sent separately, because the values of a single
 * read may be the cause.
 */
export function sendAlike(send: Send, text: string, reads: readonly WaitingRead[]): void {
  const most = text.length <= MAX_LENGTH ? MAX_READS : 1;
  for (let start = 0; start < reads.length;) {
    const size = Math.min(most, 2 ** Math.floor(Math.log2(reads.length - start)));
    const part = reads.slice(start, start + size);
    if (size === 1) sendAlone(send, text, part);
    else void sendTogether(send, text, part);
    start += size;
  }
}

function sendAlone(send: Send, text: string, reads: readonly WaitingRead[]): void {
  for (const { values, resolve, reject } of reads) void send(text, values).then(resolve, reject);
}

async function sendTogether(send: Send, text: string, reads: readonly WaitingRead[]): Promise<void> {
  const found: Row[][] = reads.map(() => []);
  try {
    const rows = await send(
      combined(text, reads.length),
      reads.flatMap(({ values }) => values),
    );
    for (const [read, ...row] of rows) found[Number(read)]?.push(row);
  } catch (error) {
    const { type } = failureOf(error);
    if (type === 'refused-pattern' || type === 'other') sendAlone(send, text, reads);
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
