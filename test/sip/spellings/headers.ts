import fc from 'fast-check';

import type { Name } from './cast';
import {
  address,
  blank,
  called,
  disturbed,
  joined,
  mostly,
  people,
  places,
  requestUri,
  weighted,
  type Template,
  type Weighted,
} from './grammar';
import { BODY } from './messages';

/** A header, as it is written. */
export interface WrittenHeader {
  /** In lower case; not as it is written. */
  readonly name: string;
  readonly written: string;
  readonly value: Template;
  /** Whether the usual header of this name is sent, too. */
  readonly isAdded: boolean;
}

/** An answer that attacks. */
export interface WrittenAnswer {
  readonly status: string;
  readonly headers: readonly WrittenHeader[];
  /** Who sends it, if it is not who was asked. */
  readonly by: Name | undefined;
}

const event = disturbed(
  joined(
    blank,
    weighted<string>(
      [3, 'refer'],
      [3, 'presence'],
      [3, 'check-sync;reboot=true'],
      [3, 'talk'],
      [1, 'hold'],
      [1, 'REFER'],
      [1, 'refer;id=1'],
      [1, 'refer,talk'],
      [1, 'talk;refer'],
      [1, 'refer\0talk'],
      [1, 'refer.talk'],
      [1, 'talk, refer'],
    ),
  ),
);
const via = joined(
  'SIP/2.0/UDP ',
  address,
  mostly(';branch=z9hG4bK-x', ';branch=z9hG4bK-x;rport', ';received={provider.ip};rport={provider.port}'),
);
// Where a header begins, parsers agree only for a CRLF.
const hidden = fc
  .tuple(
    fc.constantFrom('\r', '\n', '\r\n ', '\0\r\n', '\x0b', '\n\n'),
    fc.constantFrom('anna@one.test', 'olga@out.test'),
  )
  .map(([end, user]) => `x${end}P-Asserted-Identity: <sip:${user}>`);
const length = String(BODY.length);
const realm = fc.constantFrom('one.test', 'out.test').map((domain) => `Digest realm="${domain}", nonce="evil"`);
const option = joined(blank, fc.constantFrom('path', 'outbound', 'gruu', 'path, outbound, gruu', 'replaces'));
const choice = (...values: readonly [string, ...string[]]): fc.Arbitrary<string> => joined(blank, mostly(...values));

const HEADERS: Readonly<
  Record<string, readonly [weight: number, written: readonly [string, ...string[]], fc.Arbitrary<string>]>
> = {
  path: [4, ['Path'], places.addresses],
  contact: [6, ['Contact', 'm'], weighted([9, places.addresses], [1, '*'])],
  redirection: [6, ['Contact', 'm'], called.addresses],
  route: [2, ['Route'], places.addresses],
  'record-route': [2, ['Record-Route'], places.addresses],
  'refer-to': [5, ['Refer-To', 'r'], called.addresses],
  'referred-by': [1, ['Referred-By', 'b'], people.addresses],
  from: [1, ['From', 'f'], people.addresses],
  to: [1, ['To', 't'], people.addresses],
  'p-asserted-identity': [5, ['P-Asserted-Identity'], people.addresses],
  'p-preferred-identity': [1, ['P-Preferred-Identity'], people.addresses],
  'remote-party-id': [2, ['Remote-Party-ID'], people.addresses],
  diversion: [2, ['Diversion'], people.addresses],
  'history-info': [1, ['History-Info'], people.addresses],
  event: [4, ['Event', 'o'], event],
  'subscription-state': [1, ['Subscription-State'], choice('active', 'terminated', 'pending')],
  via: [1, ['Via', 'v'], via],
  supported: [1, ['Supported', 'k'], option],
  require: [1, ['Require'], option],
  privacy: [1, ['Privacy'], choice('id', 'none', 'header', 'id;critical')],
  expires: [1, ['Expires'], choice('60', '0', '4294967296', '-1')],
  subject: [1, ['Subject', 's'], hidden],
  // Besides one that is right, or instead.
  'content-length': [
    1,
    ['Content-Length', 'l'],
    mostly(length, `${length}\r\nl: 0`, `0\r\nl: ${length}`, '0', '999', '-1'),
  ],
  authorization: [
    1,
    ['Authorization'],
    fc.constant('Digest username="{me}", realm="{home}", nonce="n", uri="x", response="r"'),
  ],
  'www-authenticate': [1, ['WWW-Authenticate'], realm],
  'proxy-authenticate': [1, ['Proxy-Authenticate'], realm],
  cseq: [1, ['CSeq'], choice('1 REGISTER', '1 INVITE', '1 BYE')],
  'x-gateway': [1, ['X-Gateway'], fc.constant('trusted')],
};

function header(names: readonly string[]): fc.Arbitrary<WrittenHeader> {
  const choices = names.map((name): Weighted<WrittenHeader> => {
    const known = HEADERS[name];
    if (!known) throw new Error(`no header ${name}`);
    const [weight, [usual, ...others], value] = known;
    const written = fc
      .tuple(
        mostly(usual, ...others),
        mostly<(text: string) => string>(
          (text) => `${text}: `,
          (text) => `${text.toUpperCase()}: `,
          (text) => `${text.toLowerCase()}:`,
          (text) => `${text} : `,
          (text) => `${text}\t:`,
        ),
      )
      .map(([text, form]) => form(text));
    return [
      weight,
      fc.record({
        name: fc.constant(name === 'redirection' ? 'contact' : name),
        written,
        value,
        isAdded: fc.boolean(),
      }),
    ];
  });
  return weighted(...choices);
}

/** Headers with these names, in any order and number. */
function headers(names: readonly string[], maxLength = 3, minLength = 0): fc.Arbitrary<readonly WrittenHeader[]> {
  return fc.array(header(names), { minLength, maxLength, size: 'max' });
}

const IDENTITY = ['p-asserted-identity', 'p-preferred-identity', 'remote-party-id', 'from', 'to', 'privacy'];
const ROUTING = ['contact', 'route', 'record-route', 'path'];
const EVENTS = ['event', 'subscription-state', 'expires'];
const REFERRING = ['refer-to', 'referred-by', 'diversion', 'history-info'];
const OTHERS = ['supported', 'require', 'x-gateway', 'via', 'subject', 'content-length', 'authorization'];

export const registrationHeaders = headers(['path', 'contact', 'supported', 'require', 'expires', 'route'], 3, 1);
export const requestHeaders = headers([...IDENTITY, ...ROUTING, ...EVENTS, ...REFERRING, ...OTHERS]);

/** Headers of a request with this method: those that decide what it does are frequent. */
export function headersOfMethod(method: string): fc.Arbitrary<readonly WrittenHeader[]> {
  if (/refer/i.test(method))
    return weighted([3, headers(['refer-to', 'refer-to', 'referred-by'], 2)], [1, requestHeaders]);
  if (/notify|subscribe/i.test(method)) return weighted([3, headers(EVENTS, 2)], [1, requestHeaders]);
  return weighted([2, headers([...IDENTITY, 'contact'], 2)], [1, requestHeaders]);
}

/** Who may send an answer, if it is not who was asked. */
export const answerer = weighted<Name | undefined>(
  [5, undefined],
  [1, fc.constantFrom<Name>('stranger', 'eve', 'provider', 'provider2')],
);
const IN_ANSWERS = [
  ...IDENTITY.slice(0, 3),
  'record-route',
  'x-gateway',
  'subject',
  'content-length',
  'cseq',
  'from',
  'to',
];
/** An answer to any request. */
export const answer: fc.Arbitrary<WrittenAnswer> = weighted(
  [
    9,
    fc.record({
      status: weighted(
        [3, '302 Elsewhere'],
        [2, '200 OK'],
        [1, '180 Ringing'],
        [1, '300 Choose'],
        [1, '380 Other'],
        [1, '486 Busy'],
      ),
      headers: headers(['redirection', 'contact', ...IN_ANSWERS], 2),
      by: answerer,
    }),
  ],
  [
    1,
    fc.record({
      status: fc.constantFrom('401 Unauthorized', '407 Proxy Authentication Required'),
      headers: headers(['www-authenticate', 'proxy-authenticate'], 1, 1),
      by: answerer,
    }),
  ],
);
/** Headers of the 2xx with which a call or a subscription begins. Usually none. */
export const acceptingHeaders = weighted<readonly WrittenHeader[]>(
  [3, []],
  [1, headers(['contact', ...IN_ANSWERS], 2)],
);
/** Headers of the request with which a call or a subscription begins. Usually none. */
export const invitingHeaders = weighted<readonly WrittenHeader[]>(
  [3, []],
  [1, headers(['contact', 'record-route', 'diversion', 'referred-by', 'p-asserted-identity', 'privacy', 'subject'], 2)],
);

/** The value of From or To. Undefined for the usual one. */
export const party = weighted<Template | undefined>([3, undefined], [1, people.addresses]);
/** A Request-URI. Undefined for the usual one. */
export const target = weighted<Template | undefined>([3, undefined], [2, requestUri]);
