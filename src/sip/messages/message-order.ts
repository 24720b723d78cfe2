/** What decides the order of a message. */
interface Placed {
  /** When the SIP server noted it, in milliseconds. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly firstLine: string;
  readonly headers: readonly string[];
}

/** How late the SIP server notes a message at most, in milliseconds. */
const MOST_LATE = 1000;

/**
 * Orders the messages of a call, which are sorted by time, as they were sent. The SIP server notes a message after it has sent it, in
 * one of several processes, so the reply to it can be noted first. Of messages between the same two ends, a request comes
 * before its responses, a final response before its ACK, and requests follow their CSeq (RFC 3261, 17.1.1.3 and 12.2.1.1).
 */
export function messagesInOrder<M extends Placed>(messages: readonly M[]): readonly M[] {
  const ordered: Sequenced<M>[] = [];
  for (const message of messages.map(withSequence)) {
    const isRepeated = ordered.some((other) => isSameAs(message, other));
    const place = isRepeated
      ? -1
      : ordered.findIndex((other) => message.at - other.at <= MOST_LATE && comesBefore(message, other));
    ordered.splice(place === -1 ? ordered.length : place, 0, message);
  }
  return ordered.map(({ message }) => message);
}

/** A message with its place in the dialog. `status` is 0 for a request. */
interface Sequenced<M> extends Pick<Placed, 'at' | 'from' | 'to'> {
  readonly message: M;
  readonly status: number;
  readonly sequence: number;
  readonly method: string;
}

function withSequence<M extends Placed>(message: M): Sequenced<M> {
  const { at, from, to, firstLine, headers } = message;
  const [, status = '0'] = /^SIP\/2\.0 (\d{3})/.exec(firstLine) ?? [];
  const cseq = headers.find((line) => /^CSeq:/i.test(line)) ?? '';
  const [, sequence = '0', method = ''] = /^CSeq:\s*(\d+)\s+(\S+)/i.exec(cseq) ?? [];
  return { message, at, from, to, status: Number(status), sequence: Number(sequence), method };
}

function isSameAs(one: Sequenced<unknown>, other: Sequenced<unknown>): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.status === other.status &&
    one.sequence === other.sequence &&
    one.method === other.method
  );
}

/** Whether `one` must have been sent before `other`. */
function comesBefore(one: Sequenced<unknown>, other: Sequenced<unknown>): boolean {
  const isRequest = one.status === 0;
  if (one.from === other.from && one.to === other.to)
    return isRequest && other.status === 0 && one.sequence < other.sequence;
  if (one.from !== other.to || one.to !== other.from || one.sequence !== other.sequence) return false;
  if (isRequest) return other.status > 0 && one.method === other.method;
  return one.status >= 200 && one.method === 'INVITE' && other.status === 0 && other.method === 'ACK';
}
