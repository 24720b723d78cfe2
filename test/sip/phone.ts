import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { isIPv6, type Socket as Stream } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Stands for a byte that is not UTF-8 in what a phone sends over UDP. */
export const NOT_UTF8 = '\uFFFD';
const bytesOf = (text: string): Buffer =>
  Buffer.from(Buffer.from(text).toString('latin1').replaceAll('\xEF\xBF\xBD', '\xFF'), 'latin1');

/** The parts of a request that differ between requests. */
export interface Asking {
  readonly method: string;
  /** The request URI; `sip:one.test` registers. */
  readonly uri: string;
  /** Users, such as `anna@one.test`. */
  readonly from: string;
  readonly to?: string;
  readonly fromTag?: string;
  readonly toTag?: string;
  readonly callId?: string;
  readonly cseq?: number;
  readonly branch?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** The credentials of a phone. */
export interface Credentials {
  readonly username: string;
  readonly secret: string;
  /** Without qop, as in RFC 2069. */
  readonly isOld?: boolean;
}

/** How a phone sends and receives. Emits `message` with the text of each received message. */
interface Line extends EventEmitter<{ message: [string]; heard: [] }> {
  readonly transport: 'UDP' | 'TLS';
  readonly host: string;
  readonly port: number;
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** Emits the messages of a stream, which end where Content-Length says. */
export function onMessages(stream: Stream, listener: (message: string) => void): void {
  let text = '';
  stream.on('data', (data: Buffer) => {
    text += data.toString('latin1');
    for (;;) {
      text = text.replace(/^[\r\n]+/, '');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = end + 4 + Number(/^(?:Content-Length|l) *: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < length) return;
      listener(text.slice(0, length));
      text = text.slice(length);
    }
  });
}

async function datagrams(server: string, host: string, at: number): Promise<Line> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').bind(at, host);
  await once(socket, 'listening');
  const [, to = '', port = ''] = /^(.*):(\d+)$/.exec(server) ?? [];
  let isOpen = true;
  const line: Line = Object.assign(new EventEmitter<{ message: [string]; heard: [] }>(), {
    transport: 'UDP' as const,
    host: isIPv6(host) ? `[${host}]` : host,
    port: socket.address().port,
    send: (text: string) => {
      // A message may come while the test ends, and its response after the end.
      if (isOpen) socket.send(bytesOf(text), Number(port), to.replace(/[[\]]/g, ''));
    },
    close: () => {
      isOpen = false;
      socket.close();
    },
  });
  socket.on('message', (data: Buffer) => line.emit('message', data.toString()));
  return line;
}

/** A connection that is open, with TLS unless a provider waited for it without. */
export function lineOf(socket: Stream): Line {
  const line: Line = Object.assign(new EventEmitter<{ message: [string]; heard: [] }>(), {
    transport: 'TLS' as const,
    host: socket.localAddress ?? '',
    port: socket.localPort ?? 0,
    send: (text: string) => {
      socket.write(text);
    },
    close: () => {
      socket.destroy();
    },
  });
  socket.on('error', () => undefined);
  onMessages(socket, (message) => line.emit('message', message));
  return line;
}

/** A SIP phone that sends what a test specifies. Several phones can share an address. */
export class Phone {
  private readonly inbox: string[] = [];
  private listener: ((message: string) => void) | undefined;

  constructor(private readonly line: Line) {
    line.on('message', (message) => {
      if (this.listener) {
        this.listener(message);
        return;
      }
      this.inbox.push(message);
      line.emit('heard');
    });
  }

  /** A phone over UDP. */
  static async open(server: string, host = '127.0.0.1', port = 0): Promise<Phone> {
    return new Phone(await datagrams(server, host, port));
  }

  /** A phone over TLS that verifies the server's certificate. Throws if the handshake fails. */
  static async openTls(server: string, options: ConnectionOptions): Promise<Phone> {
    const [host = '', port = ''] = server.split(':');
    const socket = connect({ host, port: Number(port), ...options });
    await once(socket, 'secureConnect');
    return new Phone(lineOf(socket));
  }

  get host(): string {
    return this.line.host;
  }

  get port(): number {
    return this.line.port;
  }

  /** The Contact of the phone, without angle brackets. */
  contact(user: string): string {
    const parameters = this.line.transport === 'UDP' ? '' : ';transport=tls';
    return `sip:${user}@${this.host}:${String(this.port)}${parameters}`;
  }

  send(text: string): void {
    this.line.send(text);
  }

  /** The next received message that starts in this way; undefined if none arrives within the seconds. */
  async hears(start: RegExp | ((text: string) => boolean), seconds = 10): Promise<string | undefined> {
    const until = Date.now() + seconds * 1000;
    const isIt = start instanceof RegExp ? (text: string) => start.test(text) : start;
    for (;;) {
      const at = this.inbox.findIndex(isIt);
      if (at >= 0) return this.inbox.splice(at, 1)[0];
      if (Date.now() >= until) return undefined;
      await once(this.line, 'heard', { signal: AbortSignal.timeout(Math.max(1, until - Date.now())) }).catch(() => []);
    }
  }

  /** Has a function handle all further messages; undefined has them wait for `hears` again. */
  handle(listener: ((message: string) => void) | undefined): void {
    this.listener = listener;
  }

  /** Discards all received messages. */
  forget(): void {
    this.inbox.length = 0;
  }

  /** Sends a request and returns its text. */
  says(asking: Asking): string {
    const { method, uri, from, to = from, fromTag = 'a', toTag, cseq = 1, headers = [], body = '' } = asking;
    const { callId = id(), branch = `z9hG4bK${id()}` } = asking;
    const text = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/${this.line.transport} ${this.host}:${String(this.port)};branch=${branch}`,
      ...['Max-Forwards: 70', `From: <sip:${from}>;tag=${fromTag}`],
      `To: <sip:${to}>${toTag === undefined ? '' : `;tag=${toTag}`}`,
      ...[`Call-ID: ${callId}`, `CSeq: ${String(cseq)} ${method}`],
      ...headers,
      ...[`Content-Length: ${String(body.length)}`, '', body],
    ].join('\r\n');
    this.send(text);
    return text;
  }

  /** Sends a request and returns its final response, or 180. */
  async asks({ callId = id(), ...asking }: Asking): Promise<string | undefined> {
    this.says({ ...asking, callId });
    return this.hears((text) => /^SIP\/2\.0 (180|[2-6])/.test(text) && text.includes(callId));
  }

  /** Sends a request, and sends it again with a digest after the challenge. Returns the second response. */
  async proves(asking: Asking, credentials: Credentials): Promise<string | undefined> {
    const { callId = id() } = asking;
    const challenge = (await this.asks({ ...asking, callId })) ?? '';
    const { method, headers = [], cseq = 1 } = asking;
    if (method === 'INVITE') this.says({ ...asking, callId, method: 'ACK', headers: [] });
    return this.asks({
      ...asking,
      callId,
      cseq: cseq + 1,
      headers: [...headers, digest(challenge, asking.method, asking.uri, credentials)],
    });
  }

  registers(user: string, domain: string, headers?: readonly string[]): Promise<string | undefined> {
    const asking = { method: 'REGISTER', uri: `sip:${domain}`, from: `${user}@${domain}` };
    const own = headers ?? [`Contact: <${this.contact(user)}>`];
    return this.proves({ ...asking, headers: own }, { username: user, secret: 's' });
  }

  /** Responds to a received request. */
  answers(request: string, status: string, tag: string, headers: readonly string[] = [], body = ''): void {
    const keep = request.split('\r\n').filter((line) => /^(Via|Record-Route|From|Call-ID|CSeq):/i.test(line));
    const to = /^To:.*$/im.exec(request)?.[0] ?? '';
    const tagged = to.includes(';tag=') ? to : `${to};tag=${tag}`;
    const length = `Content-Length: ${String(body.length)}`;
    this.send([`SIP/2.0 ${status}`, ...keep, tagged, ...headers, length, '', body].join('\r\n'));
  }

  close(): void {
    this.line.close();
  }
}

/** A header with a digest for a challenge (RFC 2617). */
export function digest(challenge: string, method: string, uri: string, credentials: Credentials): string {
  const { username, secret, isOld = false } = credentials;
  const parameter = (of: string): string => new RegExp(`${of}="([^"]*)"`).exec(challenge)?.[1] ?? '';
  const [nonce, realm] = [parameter('nonce'), parameter('realm')];
  const [ha1, ha2] = [md5(`${username}:${realm}:${secret}`), md5(`${method}:${uri}`)];
  const [response, rest] = isOld
    ? [md5(`${ha1}:${nonce}:${ha2}`), '']
    : [md5(`${ha1}:${nonce}:00000001:c:auth:${ha2}`), ', qop=auth, nc=00000001, cnonce="c"'];
  const header = challenge.startsWith('SIP/2.0 407') ? 'Proxy-Authorization' : 'Authorization';
  const fields = `username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}"`;
  return `${header}: Digest ${fields}${rest}`;
}

/** The headers of a message with this name, as written. */
export function headersOf(message: string | undefined, name: string): readonly string[] {
  return (message ?? '').split('\r\n').filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
}

let count = 0;

/** A unique identifier. */
export function id(): string {
  return `${String(process.pid)}-${String(++count)}-${Math.random().toString(36).slice(2)}`;
}
