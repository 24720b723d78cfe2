import { headersOf, urisIn, valuesOf } from './readings';

/** The start line and the headers of a message. */
export interface Outline {
  readonly method: string;
  readonly uri: string;
  /** The values of From and To, with tags. */
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly cseq: number;
  readonly headers: readonly string[];
}

/** The body of each message with an odd Content-Length: a request, for those who take the length for shorter. */
export const BODY = 'NOTIFY sip:x SIP/2.0\r\nEvent: check-sync\r\n\r\n';

export function requestText({ method, uri, from, to, callId, cseq, headers }: Outline, via: string): string {
  return messageText([
    `${method} ${uri} SIP/2.0`,
    ...[via, 'Max-Forwards: 70', `From: ${from}`, `To: ${to}`, `Call-ID: ${callId}`, `CSeq: ${cseq} ${method}`],
    ...headers,
  ]);
}

/** An answer to a request, without the usual headers that are replaced. */
export function answerTo(
  request: string,
  status: string,
  tag: string,
  headers: readonly string[] = [],
  replaced: ReadonlySet<string> = new Set(),
): string {
  const usual = headersOf(request).filter(({ name }) => /^(via|record-route|from|to|call-id|cseq)$/.test(name));
  const lines = usual
    .filter(({ name }) => !replaced.has(name))
    .map(({ name, lines }) => (name === 'to' && !/;\s*tag\s*=/i.test(lines) ? `${lines};tag=${tag}` : lines));
  return messageText([`SIP/2.0 ${status}`, ...lines, ...headers]);
}

function messageText(lines: readonly string[]): string {
  const hasLength = lines.some((line) => /^(content-length|l)[ \t]*:/i.test(line));
  return [...lines, ...(hasLength ? [] : ['Content-Length: 0']), '', hasLength ? BODY : ''].join('\r\n');
}

/** The ACK for an answer that refuses an INVITE (RFC 3261, 17.1.1.3). */
export function acknowledgement(invite: string, answer: string): string {
  const kept = headersOf(invite).filter(({ name }) => /^(via|from|call-id|route)$/.test(name));
  return messageText([
    `ACK ${invite.split(' ')[1] ?? ''} SIP/2.0`,
    ...kept.map(({ lines }) => lines),
    ...[`To: ${valuesOf(answer, 'to')[0] ?? ''}`, 'Max-Forwards: 70', `CSeq: ${cseqOf(answer)} ACK`],
  ]);
}

/** The number in CSeq. */
export function cseqOf(message: string): number {
  return parseFloat(valuesOf(message, 'cseq')[0] ?? '1');
}

/** The tag in the value of From or To, with its name. */
export function tagOf(value: string): string {
  return /;\s*tag=[^;>\s]*/i.exec(value)?.[0] ?? '';
}

/** One of the readings of the Contact of a message, for further requests. Empty if there is none. */
export function contactIn(message: string, reading: number): string {
  const uris = valuesOf(message, 'contact')
    .flatMap(urisIn)
    .filter((uri) => /^[^\s\0]+$/.test(uri));
  return uris[reading % Math.max(1, uris.length)] ?? '';
}

/** The routes of a dialog, in the order of Record-Route, without those of the sender at this place. */
export function routesIn(message: string, place: string): readonly string[] {
  const routes = valuesOf(message, 'record-route').filter((value) => !value.includes(place));
  return routes.map((value) => `Route: ${value}`);
}
