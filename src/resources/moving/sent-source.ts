import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import type { ForeignRow } from '../../database/foreign/foreign-source';
import { dumpOf, openDump } from '../../database/foreign/sql-dump';
import { InvalidInputError, quote } from '../../errors';
import type { YamlLimits } from '../documents/yaml';
import { mapperOf, type MapAll, type System } from './moving-sources';
import { mapRoutr, readRoutr } from './routr2-source';

/** The longest documents of Routr, in bytes. */
const MAX_DOCUMENTS = 2 * 1024 * 1024;
/** They are parsed at once, which takes a second and some 300 MB for these. 2 MB of what Routr exports has fewer. */
const LIMITS: YamlLimits = { documents: 20_000, marks: 300_000 };
/** The start of a line in a dump of a database, which no line of Routr's documents has. */
const STATEMENT = /^(?:\/\*!\d+ )?(?:CREATE|INSERT|COPY|SET|PRAGMA|BEGIN|DROP)\b(?!:)/m;
/** What to do with a source that is larger than a limit. */
export const ELSE = 'use sipgraph import-from';

/** Decompresses a source. Throws InvalidInputError if it is not gzip, or longer than `most` bytes. */
export async function unpack(bytes: Buffer, most: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const what = isTooLong ? `is longer than ${String(most)} bytes: ${ELSE}` : 'cannot be decompressed';
    throw InvalidInputError.of('source', what);
  }
}

/**
 * How a source that a user has sent is mapped. Throws InvalidInputError if it cannot be read; `mostRows` is the limit of a table.
 * `assertWanted` throws an error when nobody waits for it any more.
 */
export async function mapSent(
  system: System,
  bytes: Buffer,
  mostRows: number,
  assertWanted: () => void,
): Promise<MapAll> {
  if (system === 'routr2' && !STATEMENT.test(bytes.toString('latin1', 0, 4096))) {
    if (bytes.length > MAX_DOCUMENTS)
      throw InvalidInputError.of('source', `has YAML or JSON of more than ${String(MAX_DOCUMENTS)} bytes: ${ELSE}`);
    if (!isUtf8(bytes)) throw InvalidInputError.of('source', 'is not a text in UTF-8');
    const documents = readRoutr([{ name: 'source', text: bytes.toString() }], LIMITS);
    return (report, options) => Promise.resolve(mapRoutr(documents, report, options));
  }
  const source = await openDump(dumpOf('the dump', bytes, assertWanted));
  return mapperOf(system, { ...source, rows: (table) => fewRows(table, source.rows(table), mostRows) });
}

/**
 * The longest value of a table that is moved, in characters: it may become a part of many records and reports. What is longer is cut, and
 * still too long for every field, and for a list of 1000 networks.
 */
const MAX_VALUE = 65_536;

/** The rows of a table that is moved. Others, such as acc, may have more. */
async function* fewRows(
  table: string,
  rows: AsyncIterable<ForeignRow>,
  most: number,
): AsyncGenerator<ForeignRow, void, undefined> {
  let count = 0;
  for await (const row of rows) {
    if (++count > most)
      throw InvalidInputError.of('source', `has more than ${String(most)} rows of ${quote(table)}: ${ELSE}`);
    const isLong = Object.values(row).some((value) => value !== null && value.length > MAX_VALUE);
    yield isLong
      ? Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value?.slice(0, MAX_VALUE) ?? null]))
      : row;
  }
}
