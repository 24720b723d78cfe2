import { headersOf, id, type Asking, type Credentials, type Phone } from './phone';

/** An answered call, from the view of both sides. */
export interface AnsweredCall {
  /** The INVITE as the callee received it. */
  readonly invite: string;
  /** The fields that further requests of the caller and of the callee share. */
  readonly fromCaller: Asking;
  readonly fromCallee: Asking;
}

export interface Caller {
  readonly phone: Phone;
  /** The caller, such as `anna@one.test`. */
  readonly from: string;
  /** Undefined for a provider, which is not challenged. */
  readonly credentials?: Credentials;
}

/** Makes one phone call another one, which answers. The ACK may be left out. Throws if the INVITE does not arrive. */
export async function answeredCall(
  { phone: caller, from, credentials }: Caller,
  callee: Phone,
  to: string,
  {
    uri = `sip:${to}`,
    contact = callee.contact('callee'),
    callerContact = caller.contact('caller'),
    recorded = [],
    isAcknowledged = true,
  }: {
    readonly uri?: string;
    readonly contact?: string;
    readonly callerContact?: string;
    /** The Record-Route headers of the INVITE. */
    readonly recorded?: readonly string[];
    readonly isAcknowledged?: boolean;
  } = {},
): Promise<AnsweredCall> {
  const [callId, fromTag, toTag] = [id(), id(), id()];
  const own = [`Contact: <${callerContact}>`, ...recorded];
  const asking = { uri, from, to, callId, fromTag };
  const invitation = { ...asking, method: 'INVITE', headers: own };
  const answer = credentials ? caller.proves(invitation, credentials) : caller.asks(invitation);
  // An INVITE of an earlier call can arrive late.
  const invite = await callee.hears((text) => text.startsWith('INVITE ') && text.includes(callId), 4);
  if (invite === undefined) throw new Error(`no INVITE: ${String(await answer)}`);
  callee.answers(invite, '200 OK', toTag, [`Contact: <${contact}>`]);
  const ok = await answer;
  const fromCaller: Asking = {
    ...asking,
    method: 'ACK',
    uri: uriIn(ok),
    toTag,
    cseq: credentials ? 2 : 1,
    headers: routes(ok),
  };
  if (isAcknowledged) {
    caller.says(fromCaller);
    await callee.hears(/^ACK /);
  }
  const [heardFrom, heardTo] = ['From', 'To'].map((name) => /sip:([^>;]*)/.exec(headersOf(invite, name)[0] ?? '')?.[1]);
  const fromCallee: Asking = {
    method: 'BYE',
    uri: uriIn(invite),
    from: heardTo ?? '',
    to: heardFrom ?? '',
    callId,
    fromTag: toTag,
    toTag: fromTag,
    headers: routes(invite),
  };
  return { invite, fromCaller, fromCallee };
}

/** The URI in the Contact of a message. */
export function uriIn(message: string | undefined): string {
  return /<(.*?)>/.exec(headersOf(message, 'Contact')[0] ?? '')?.[1] ?? '';
}

/** The Route headers for requests to the sender of a message. */
export function routes(message: string | undefined): string[] {
  return headersOf(message, 'Record-Route').map((line) => line.replace('Record-Route', 'Route'));
}
