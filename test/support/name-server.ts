import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on this host. */
export interface NameServer {
  /** As `dns.setServers` accepts it. */
  readonly address: string;
  /** The names that were asked for. */
  readonly asked: ReadonlySet<string>;
  close(): void;
}

// The types of records: A, and the length of the header of a message (RFC 1035, 4.1.1).
const A = 1;
const HEADER = 12;

/** Starts a name server that knows one name, which is 127.0.0.1, and never responds for others. */
export async function startNameServer(known: string): Promise<NameServer> {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const [labels, end] = labelsIn(query);
    const name = labels.join('.').toLowerCase();
    asked.add(name);
    if (name !== known) return;
    const hasAnswer = query.readUInt16BE(end) === A;
    const question = query.subarray(HEADER, end + 4);
    const header = Buffer.concat([
      query.subarray(0, 2),
      Buffer.from([0x81, 0x80, 0, 1, 0, hasAnswer ? 1 : 0, 0, 0, 0, 0]),
    ]);
    // The name of the question, A, IN, a TTL of 0, four bytes.
    const answer = Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    socket.send(Buffer.concat([header, question, ...(hasAnswer ? [answer] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${String(socket.address().port)}`, asked, close: () => socket.close() };
}

/** The labels of the name in a query, and where the name ends. */
function labelsIn(query: Buffer): readonly [readonly string[], number] {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return [labels, at + 1];
}
