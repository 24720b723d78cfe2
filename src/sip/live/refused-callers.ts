import { raw, sql, type Fragment } from '../../database/fragment';
import { where } from '../../database/page';
import type { Reads, Row } from '../../database/sql';
import { among } from '../diagnosis/networks';
import { scanTable } from './scan';
import { storedTexts } from './stored';

/** An address from which calls to numbers of a gateway were refused, because it is none of the gateway's sources. */
export interface RefusedCaller {
  /** The gateway's row. */
  readonly rowId: number;
  /** Null for readers who see no addresses. */
  readonly ip: string | null;
  /** The digits of the number that was called last, which is one of the gateway's. */
  readonly digits: string;
  readonly calls: number;
  /** Milliseconds since the epoch. */
  readonly firstOn: number;
  readonly lastOn: number;
}

/** An address of no gateway and no peer, from which calls were refused. */
export interface RefusedSource extends Omit<RefusedCaller, 'rowId' | 'digits'> {
  /** The row of the gateway whose number was called, and the number; null if no gateway has the number. */
  readonly rowId: number | null;
  readonly digits: string | null;
}

// Kamailio stores at most 1,024 of gateways, and as many others.
const MOST_SHOWN = 100;
const DAYS_SHOWN = 30;

/** Reads from where calls were refused, which the SIP server stores. */
export class RefusedCallerReader {
  constructor(
    private readonly sql: Reads,
    /** Charges the user for a read, in objects. Throws RateLimitedError. */
    private readonly spend: (objects: number) => void,
    /** Whether addresses are hidden. */
    private readonly isHidden: boolean,
  ) {}

  /** The latest callers of numbers in the last 30 days, newest first; with `gatewayRef`, those of one gateway. */
  async latest(gatewayRef?: string): Promise<readonly RefusedCaller[]> {
    const rows = await this.rows(gatewayRef === undefined ? sql`g.id IS NOT NULL` : sql`g.ref = ${gatewayRef}`);
    return rows
      .filter(isRefused)
      .slice(0, MOST_SHOWN)
      .map((row) => ({ ...this.toSource(row), rowId: Number(row[0]), digits: String(row[2]) }));
  }

  /** The latest callers in the last 30 days, also of what is no number, newest first. */
  async sources(): Promise<readonly RefusedSource[]> {
    const rows = await this.rows(sql`(g.id IS NOT NULL OR r.gw_ref = '')`);
    const isKnown = rows.some(isOfNobody) ? await this.knownNetworks() : () => false;
    return rows
      .filter((row) => (isOfNobody(row) ? !isKnown(String(row[1])) : isRefused(row)))
      .slice(0, MOST_SHOWN)
      .map((row) => this.toSource(row));
  }

  private async rows(condition: Fragment): Promise<readonly Row[]> {
    const since = Date.now() - DAYS_SHOWN * 86_400_000;
    const { text, values } = sql`SELECT g.id, r.ip, r.did, r.calls, r.first_at, r.last_at, g.sources
      FROM refused_callers r LEFT JOIN gateways g ON g.ref = r.gw_ref
      ${where([sql`r.last_at > ${since}`, condition])} ORDER BY ${raw('r.last_at DESC, r.place')}`;
    const rows = await this.sql.rows(text, values);
    this.spend(rows.length);
    return rows;
  }

  /** Returns whether an address is in a network of a gateway or a peer. */
  private async knownNetworks(): Promise<(address: string) => boolean> {
    const lists: Row[] = [];
    for (const table of ['gateways', 'peers'])
      lists.push(...(await scanTable(this.sql, table, raw(`SELECT sources FROM ${table} WHERE sources IS NOT NULL`))));
    this.spend(lists.length);
    return among(lists.flatMap(([list]) => storedTexts(list)));
  }

  private toSource([rowId, ip, digits, calls, first, last]: Row): RefusedSource {
    return {
      rowId: rowId === null ? null : Number(rowId),
      ip: this.isHidden ? null : String(ip),
      digits: digits === '' ? null : String(digits),
      calls: Number(calls),
      firstOn: Number(first),
      lastOn: Number(last),
    };
  }
}

function isOfNobody([rowId]: Row): boolean {
  return rowId === null;
}

/** Whether calls from the address of a row are still refused by its gateway. */
function isRefused([, ip, , , , , sources]: Row): boolean {
  return !among(storedTexts(sources))(String(ip));
}
