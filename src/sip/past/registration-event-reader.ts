import type { Product } from '../../database/driver';
import { all, list, raw, sql } from '../../database/fragment';
import type { Order, Page, Range } from '../../database/page';
import type { Reads } from '../../database/sql';
import { InvalidInputError, quote } from '../../errors';
import { parseAddressOfRecord } from '../../model/format/address-of-record';
import {
  EVENT_COLUMNS,
  ownerKey,
  toRegistrationEvent,
  type RegistrationEvent,
  type RegistrationEventKind,
  type RegistrationOwner,
} from './registration-event';
import { ownersOf, WayReader, type Path, type Since, type Way } from './ways';

/** Newest first. */
export const EVENT_ORDER: Order = [
  { column: 'at', type: 'number', descending: true },
  { column: 'id', type: 'number', descending: true },
];

/** Which events to read. All conditions must hold. */
export interface RegistrationEventQuery {
  readonly addressOfRecord?: string | undefined;
  readonly owner?: RegistrationOwner | undefined;
  readonly events?: readonly RegistrationEventKind[] | undefined;
  /** Milliseconds since the epoch; both are included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What a reader of transitions depends on. */
export interface RegistrationEventOptions {
  readonly product: Product;
  /** Whether the reader sees no addresses of devices and providers. */
  readonly isHidden: boolean;
  readonly since: Since;
}

const EVENTS = { table: 'registration_events', columns: EVENT_COLUMNS, at: 'at' };

/** Reads the transitions of registrations that the SIP server recorded. */
export class RegistrationEventReader {
  private readonly ways: WayReader<RegistrationEvent>;
  private readonly since: Since;

  constructor(sql: Reads, { product, isHidden, since }: RegistrationEventOptions) {
    this.since = since;
    this.ways = new WayReader(sql, product, EVENTS, (row) => toRegistrationEvent(row, isHidden));
  }

  /** A page of the events that match, newest first. Throws InvalidInputError for what is no address of record. */
  async page(range: Range, query: RegistrationEventQuery): Promise<Page<RegistrationEvent>> {
    return this.ways.page(this.pathOf(query), range, EVENT_ORDER);
  }

  /** The number of events that match. Throws like `page`. */
  async count(query: RegistrationEventQuery): Promise<number> {
    return this.ways.count(this.pathOf(query));
  }

  /** A page of the events of each owner, newest first, by the owner's row id. */
  async of(
    kind: RegistrationOwner['kind'],
    rowIds: readonly number[],
    range: Range,
  ): Promise<ReadonlyMap<number, Page<RegistrationEvent>>> {
    return this.ways.pagesOf(await this.waysOf(kind, rowIds), range, EVENT_ORDER);
  }

  /** The number of events of each owner, by row id. */
  async countsOf(kind: RegistrationOwner['kind'], rowIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.ways.countsOf(await this.waysOf(kind, rowIds), false);
  }

  private waysOf(
    kind: RegistrationOwner['kind'],
    rowIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly Way[]>> {
    return this.ways.ofOwners(ownersOf(kind), rowIds, this.since, (ref) => [wayOf(ownerKey({ kind, ref }))]);
  }

  /** The seeks for a query, which begin with the condition that selects the fewest events, and what no index answers. */
  private pathOf({ addressOfRecord, owner, events, from, to }: RegistrationEventQuery): Path {
    const span = all([
      from === undefined ? undefined : sql`at >= ${from}`,
      to === undefined ? undefined : sql`at <= ${to}`,
    ]);
    const some = events && (events.length === 0 ? raw('FALSE') : sql`event IN (${list(events)})`);
    const address = addressOfRecord === undefined ? undefined : addressWay(addressOfRecord);
    const [best, ...others] = [owner && wayOf(ownerKey(owner)), address].filter((way) => way !== undefined);
    const within = ({ index, condition }: Way): Way => ({ index, condition: all([condition, span]) });
    if (best) {
      const rest = [...others.map(({ condition }) => condition), some].filter((each) => each !== undefined);
      return { ways: [within(best)], rest };
    }
    const ways = events
      ? events.map((event) => ({ index: 'registration_events_event', condition: sql`event = ${event}` }))
      : [{ index: 'registration_events_at', condition: raw('TRUE') }];
    return { ways: ways.map(within), rest: [] };
  }
}

function wayOf(owner: string): Way {
  return { index: 'registration_events_owner', condition: sql`owner = ${owner}` };
}

function addressWay(addressOfRecord: string): Way {
  const aor = parseAddressOfRecord(addressOfRecord);
  if (aor?.host === undefined)
    throw InvalidInputError.of('addressOfRecord', `${quote(addressOfRecord)} is not an address of record`);
  return {
    index: 'registration_events_address',
    condition: sql`username = ${aor.user} AND domain = ${aor.host}`,
  };
}
