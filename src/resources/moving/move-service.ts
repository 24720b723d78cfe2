import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import type { Actor } from '../../changes/actor';
import type { Database } from '../../database/database';
import type { Cancellable } from '../../database/sql';
import type { ForeignRow } from '../../database/foreign/foreign-source';
import { dumpOf, openDump } from '../../database/foreign/sql-dump';
import { InvalidInputError, quote } from '../../errors';
import { ROW_WRITTEN } from '../../limits/budgets';
import { endOfTurn } from '../../limits/event-loop';
import type { Model } from '../../model/model';
import type { Rehearser } from '../../sip/simulation/simulation';
import type { Country } from '../../spelling/telephone';
import { moveAll } from './move';
import { mapperOf, mappingOptions, moveValid, type MapAll, type MovedValid, type System } from './moving-sources';
import { mapRoutr, readRoutr } from './routr2-source';

/** What a user sends of another system, and how to move it. */
export interface MoveRequest {
  readonly system: System;
  /** A dump of its database or, of Routr v2, YAML or JSON; or one of these, compressed with gzip, in base64. */
  readonly source: string;
  readonly gateway: string | undefined;
  readonly newSecrets: boolean;
  readonly skipInvalid: boolean;
}

/** How a move runs. */
export interface MoveHow {
  readonly dryRun: boolean;
  readonly rehearser: Rehearser | undefined;
  /** The request. When it is over, the move is rolled back. */
  readonly request: Cancellable;
  /** Charges the user for objects. Throws RateLimitedError. */
  readonly charge: (objects: number) => void;
}

/** What a move did, or would do. */
export interface MoveResult extends MovedValid {
  /** Whether it was made. Otherwise nothing was changed: a record is wrong, or it was a dry run. */
  readonly moved: boolean;
  /** The id under which the journal has the changes. Undefined if nothing was changed. */
  readonly requestId: string | undefined;
}

/** The longest source once it is decompressed, in bytes, and the most records that a request moves. */
const MAX_SOURCE = 16 * 1024 * 1024;
const MAX_RECORDS = 10_000;
/** The most rows of a table: some become no record. */
const MAX_ROWS = 50_000;
/** The longest documents of Routr, in bytes. They are parsed at once, which takes a second and some 300 MB for these. */
const MAX_DOCUMENTS = 2 * 1024 * 1024;
/** The characters of a source that cost as much as one object to read. */
const CHARACTERS = 64;
// What gzip begins with, in base64.
const GZIP = 'H4sI';
const ELSE = 'use sipgraph import-from';

/** Moves in what a user sends of another system, as `sipgraph import-from` does: all or nothing, in one transaction. */
export class MoveService {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly actor: Actor,
    /** Where numbers without a country code are from. */
    private readonly home: Country | undefined,
  ) {}

  /** Throws InvalidInputError if the source cannot be read, or is too long. */
  async move(given: MoveRequest, { dryRun, rehearser, request, charge }: MoveHow): Promise<MoveResult> {
    const bytes = await bytesOf(given.source);
    charge(Math.ceil(bytes.length / CHARACTERS));
    const map = await mapOf(given.system, bytes);
    const actor: Actor = { ...this.actor, channel: 'IMPORT' };
    let most = 0;
    const moved = await moveValid((skip) => {
      const options = mappingOptions(given, this.home, skip);
      return moveAll(this.database, this.model, (report) => map(report, options), {
        ...{ actor, home: this.home, apply: !dryRun, skip, rehearser, scope: request },
        hidesSecrets: dryRun || rehearser !== undefined,
        progress: async (records) => {
          if (records > MAX_RECORDS)
            throw InvalidInputError.of('source', `has more than ${String(MAX_RECORDS)} records to move: ${ELSE}`);
          // The records may be read several times, and are charged for once.
          charge(ROW_WRITTEN * Math.max(0, records - most));
          most = Math.max(most, records);
          await endOfTurn();
        },
      });
    }, given.skipInvalid);
    const isMoved = !dryRun && moved.failed.size === 0;
    const isChanged = isMoved && moved.kinds.some(({ created, updated }) => created + updated > 0);
    return { ...moved, moved: isMoved, requestId: isChanged ? actor.requestId : undefined };
  }
}

async function bytesOf(source: string): Promise<Buffer> {
  if (!source.startsWith(GZIP)) return Buffer.from(source);
  try {
    return await promisify(gunzip)(Buffer.from(source, 'base64'), { maxOutputLength: MAX_SOURCE });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const what = isTooLong ? `is longer than ${String(MAX_SOURCE)} bytes: ${ELSE}` : 'cannot be decompressed';
    throw InvalidInputError.of('source', what);
  }
}

async function mapOf(system: System, bytes: Buffer): Promise<MapAll> {
  const start = bytes.toString('utf8', 0, 4096);
  if (system === 'routr2' && !/\b(?:CREATE|INSERT|COPY|SET|PRAGMA|BEGIN)\b/.test(start)) {
    if (bytes.length > MAX_DOCUMENTS)
      throw InvalidInputError.of('source', `has YAML or JSON of more than ${String(MAX_DOCUMENTS)} bytes: ${ELSE}`);
    const documents = readRoutr([{ name: 'source', text: bytes.toString() }]);
    return (report, options) => Promise.resolve(mapRoutr(documents, report, options));
  }
  const source = await openDump(dumpOf('the dump', bytes));
  return mapperOf(system, { ...source, rows: (table) => fewRows(table, source.rows(table)) });
}

/** The rows of a table that is moved. Others, such as acc, may have more. */
async function* fewRows(table: string, rows: AsyncIterable<ForeignRow>): AsyncGenerator<ForeignRow, void, undefined> {
  let count = 0;
  for await (const row of rows) {
    if (++count > MAX_ROWS)
      throw InvalidInputError.of('source', `has more than ${String(MAX_ROWS)} rows of ${quote(table)}: ${ELSE}`);
    yield row;
  }
}
