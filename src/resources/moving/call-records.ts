import { InvalidInputError } from '../../errors';
import { unmarked } from '../../spelling/csv';
import { rowsOf } from '../bulk/csv-rows';
import { placeIn } from './sip-place';

/** How a call went, as far as its record says. */
export type Went =
  /** To the telephone network, by a gateway with this ref, name or host. */
  | { readonly way: 'LEAVES'; readonly gateway: string }
  /** To this user, who may have been busy or not at home. */
  | { readonly way: 'RINGS'; readonly user: string }
  /** Refused, because there was no such number or no right to call it. */
  | { readonly way: 'REFUSED'; readonly status: string }
  /** Somewhere: the record does not say where. */
  | { readonly way: 'CONNECTED' }
  /** To a host or a name, which may be of a gateway, a domain or a user. */
  | { readonly way: 'TO'; readonly name: string; readonly user: string };

/** A call that was made. */
export interface CallRecord {
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly source: string | undefined;
  readonly went: Went;
}

/** What a column has, by the headings of Kamailio's acc, of Asterisk's CDR, and of sipgraph's export, in this order of preference. */
const COLUMNS = {
  from: ['from', 'from_uri', 'src_uri', 'caller', 'src', 'calling', 'callerid', 'source_number', 'caller_number'],
  fromUser: ['src_user', 'from_user', 'caller_user'],
  fromHost: ['src_domain', 'from_domain', 'caller_domain'],
  to: [
    'to',
    'dst_ouser',
    'ouser',
    'to_uri',
    'dst',
    'callee',
    'destination',
    'destination_number',
    'callee_number',
    'dst_user',
    'to_user',
  ],
  source: ['source', 'src_ip', 'source_ip', 'sourceaddress', 'source_address', 'caller_ip'],
  gateway: ['gatewayref', 'gateway_ref', 'gateway', 'trunk', 'carrier'],
  called: ['called'],
  wentHost: ['dst_domain', 'dst_host', 'dst_ip'],
  wentUser: ['dst_user'],
  channel: ['dstchannel'],
  direction: ['direction'],
  method: ['method'],
  status: ['status', 'sip_code', 'sip_status', 'code'],
  disposition: ['disposition'],
} as const;

type Column = keyof typeof COLUMNS;
type Cells = Readonly<Partial<Record<Column, string>>>;

/** Statuses that say that the server knew no way, or did not allow it (RFC 3261, 21.4). Others come from whom a call reached. */
const REFUSED = ['403', '404', '410', '416', '484', '604'];
/** A request for a digest, after which the call is sent again. */
const CHALLENGES = ['401', '407'];

/** What is no call, such as a BYE, or a record without its ends. */
export interface NoCall {
  readonly line: number;
  readonly reason: string | undefined;
}

/** Reads the calls in parts of a CSV file. Throws InvalidInputError if the header has no caller or no called number. */
export async function* callRecords(csv: AsyncIterable<string>): AsyncGenerator<CallRecord | NoCall, void, undefined> {
  // A heading may have several meanings: `dst_user` is the last called user, and the called number if there is no other.
  let meanings: readonly (readonly Column[])[] = [];
  const headerOf = (headings: readonly string[]): readonly (string | undefined)[] => {
    meanings = meaningsOf(headings);
    const all = meanings.flat();
    if (!all.includes('to') || !(all.includes('from') || all.includes('fromUser')))
      throw InvalidInputError.of(
        'header',
        `has no column for ${all.includes('to') ? 'the caller' : 'the called number'}: expected from and to, or the columns of Kamailio's acc or of Asterisk's CDR`,
      );
    return headings.map((_, index) => String(index));
  };
  for await (const { record, line, wrong } of rowsOf(csv, {
    headerOf,
    skipsEmpty: true,
    keepsUneven: true,
  })) {
    if (wrong !== undefined) {
      yield { line, reason: wrong };
      continue;
    }
    const cells: Partial<Record<Column, string>> = {};
    for (const [index, columns] of meanings.entries())
      for (const column of columns) cells[column] = unmarked(record[String(index)] ?? '');
    yield callIn(line, cells);
  }
}

function meaningsOf(headings: readonly string[]): readonly (readonly Column[])[] {
  const names = headings.map((each) => each.trim().toLowerCase());
  const chosen = (Object.keys(COLUMNS) as Column[]).map((column) => {
    const name = COLUMNS[column].find((each) => names.includes(each));
    return [column, name === undefined ? -1 : names.indexOf(name)] as const;
  });
  return names.map((_, index) => chosen.flatMap(([column, at]) => (at === index ? [column] : [])));
}

function callIn(line: number, cells: Cells): CallRecord | NoCall {
  const { from = '', fromUser = '', fromHost = '', to = '', source = '', method = 'INVITE', status = '' } = cells;
  if (method.toUpperCase() !== 'INVITE' || CHALLENGES.includes(status)) return { line, reason: undefined };
  const caller = from === '' ? [fromUser, fromHost].filter((each) => each !== '').join('@') : from;
  if (caller === '') return { line, reason: 'has no caller' };
  if (to === '') return { line, reason: 'has no called number' };
  return {
    line,
    from: endIn(caller),
    to: endIn(to),
    source: source === '' ? undefined : addressIn(source),
    went: wentIn(cells),
  };
}

function wentIn(cells: Cells): Went {
  const {
    status = '',
    disposition = '',
    direction = '',
    gateway = '',
    called = '',
    wentHost = '',
    channel = '',
  } = cells;
  if (REFUSED.includes(status)) return { way: 'REFUSED', status };
  // Of a call from outside, the gateway is where it came from.
  if (gateway !== '' && !/^(?:in|inbound|internal)$/i.test(direction)) return { way: 'LEAVES', gateway };
  if (called !== '') return { way: 'RINGS', user: userIn(called) };
  const name = channelIn(channel);
  if (name !== '') return { way: 'TO', name, user: name };
  if (wentHost !== '') return { way: 'TO', name: hostIn(wentHost), user: userIn(cells.wentUser ?? '') };
  return /^(?:failed|congestion)$/i.test(disposition) ? { way: 'REFUSED', status } : { way: 'CONNECTED' };
}

/** `user@host` of a SIP URI or a header with one; another text as it is. */
function endIn(text: string): string {
  const [, uri] = /<([^>]*)>/.exec(text) ?? [];
  const place = placeIn(uri ?? text);
  return place && place.user !== '' ? `${place.user}@${place.host}` : (uri ?? text);
}

function userIn(text: string): string {
  const { user = '' } = placeIn(text) ?? {};
  return user === '' ? text.replace(/^(?:sips?|tel):/i, '') : user;
}

function hostIn(text: string): string {
  return placeIn(text)?.host ?? text;
}

/** The IP address in a text such as `192.0.2.1:5060`. */
function addressIn(text: string): string {
  return hostIn(text).replace(/^\[|\]$/g, '');
}

/** The name in a channel of Asterisk, such as `PJSIP/provider-000001a2` and `SIP/1001-00c0ffee`. */
function channelIn(text: string): string {
  return /^[A-Za-z0-9]+\/(?:[^@/]*@)?(.+?)(?:-[0-9a-f]{8}(?:;\d)?)?$/.exec(text)?.[1] ?? '';
}
