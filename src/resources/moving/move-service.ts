import type { Actor } from '../../changes/actor';
import type { Database } from '../../database/database';
import { InvalidInputError } from '../../errors';
import { ROW_WRITTEN } from '../../limits/budgets';
import { endOfTurn } from '../../limits/event-loop';
import type { Model } from '../../model/model';
import type { Country } from '../../spelling/telephone';
import { hidesSecrets, type BulkOptions } from '../bulk/bulk-options';
import { moveAll } from './move';
import { mappingOptions, moveValid, type MovedValid, type System } from './moving-sources';
import { ELSE, mapSent, unpack } from './sent-source';

/** What a user sends of another system, and how to move it. */
export interface MoveRequest {
  readonly system: System;
  /** A dump of its database or, of Routr v2, YAML or JSON; or one of these, compressed with gzip, in base64. */
  readonly source: string;
  readonly gateway: string | undefined;
  readonly newSecrets: boolean;
  readonly skipInvalid: boolean;
}

/** What a move did, or would do. */
export interface MoveResult extends MovedValid {
  /** Whether it was made. Otherwise nothing was changed: a record is wrong, or it was a dry run. */
  readonly moved: boolean;
  /** The id under which the history has the changes. Undefined if nothing was changed. */
  readonly requestId: string | undefined;
}

/** The longest source once it is decompressed, in bytes, and the most records that a request moves. */
const MAX_SOURCE = 16 * 1024 * 1024;
const MAX_RECORDS = 10_000;
/** The most rows of a table: some become no record. */
const MAX_ROWS = 50_000;
/** The characters of a source that cost as much as one object to read. */
const CHARACTERS = 64;
// What gzip begins with, in base64.
const GZIP = 'H4sI';

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
  async move(given: MoveRequest, options: BulkOptions): Promise<MoveResult> {
    const { dryRun, rehearser, request, charge } = options;
    const bytes = await bytesOf(given.source);
    charge(Math.ceil(bytes.length / CHARACTERS));
    const map = await mapSent(given.system, bytes, MAX_ROWS, () => request.signal.throwIfAborted());
    const actor: Actor = { ...this.actor, channel: 'IMPORT' };
    let most = 0;
    const moved = await moveValid((skip) => {
      const mapping = mappingOptions(given, this.home, skip);
      return moveAll(this.database, this.model, (report) => map(report, mapping), {
        ...{ actor, home: this.home, apply: !dryRun, skip, rehearser, scope: request },
        hidesSecrets: hidesSecrets(options),
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
  return source.startsWith(GZIP) ? unpack(Buffer.from(source, 'base64'), MAX_SOURCE) : Buffer.from(source);
}
