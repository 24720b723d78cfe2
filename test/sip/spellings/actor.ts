import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket as Connection } from 'node:net';

import { CAST, type Name } from './cast';
import { valuesOf } from './readings';

/** Called with each message that an actor receives, and a function that answers it on the same connection. */
export type Hear = (actor: Actor, text: string, answer: (text: string) => void) => void;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Somebody who sends and receives. */
export interface Actor {
  readonly name: Name;
  /** Its address, as host:port. */
  readonly place: string;
  readonly transport: 'UDP' | 'TCP';
  /** Connects again if the connection was closed. Returns whether it was. */
  readonly ready: () => Promise<boolean>;
  readonly send: (text: string) => void;
  readonly close: () => void;
}

/** Opens the phone of somebody, or whatever they have, at a port or any free one. */
export function openActor(name: Name, kamailio: Address, hear: Hear, port = 0): Promise<Actor> {
  return CAST[name].transport === 'TCP'
    ? TcpActor.open(name, kamailio, hear)
    : UdpActor.open(name, kamailio, hear, port);
}

/** The usual Contact of an actor. A phone behind an edge proxy has an address that Kamailio cannot reach. */
export function contactOf({ name, place, transport }: Actor): string {
  const { user, isEdge = false } = CAST[name];
  return `<sip:${user}@${isEdge ? '10.0.0.5:5060' : place}${transport === 'TCP' ? ';transport=tcp' : ''}>`;
}

/** Sends over UDP, and receives over UDP, and over TCP at the same port. */
class UdpActor implements Actor {
  readonly transport = 'UDP';
  private readonly connections = new Set<Connection>();

  private constructor(
    readonly name: Name,
    private readonly socket: Socket,
    private readonly server: Server,
    private readonly kamailio: Address,
    hear: Hear,
  ) {
    socket.on('message', (data) => hear(this, data.toString('latin1'), (text) => this.send(text)));
    server.on('connection', (connection) => {
      this.connections.add(connection);
      connection.on('error', () => connection.destroy());
      connection.on('data', (data) => hear(this, data.toString('latin1'), (text) => connection.write(text, 'latin1')));
    });
  }

  static async open(name: Name, kamailio: Address, hear: Hear, port: number): Promise<Actor> {
    const { ip } = CAST[name];
    for (;;) {
      const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 }).bind(port, ip);
      await once(socket, 'listening');
      const server = createServer();
      if (await listens(server, socket.address().port, ip)) return new UdpActor(name, socket, server, kamailio, hear);
      socket.close();
    }
  }

  get place(): string {
    const { address, port } = this.socket.address();
    return `${address}:${String(port)}`;
  }

  ready(): Promise<boolean> {
    return Promise.resolve(false);
  }

  send(text: string): void {
    this.socket.send(Buffer.from(text, 'latin1'), this.kamailio.port, this.kamailio.host);
  }

  close(): void {
    this.socket.close();
    this.server.close();
    for (const connection of this.connections) connection.destroy();
  }
}

async function listens(server: Server, port: number, host: string): Promise<boolean> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  }
}

/** Sends and receives over a TCP connection, which it opens. */
class TcpActor implements Actor {
  readonly transport = 'TCP';
  private connection: Connection | undefined;
  private received = '';

  private constructor(
    readonly name: Name,
    private readonly kamailio: Address,
    private readonly hear: Hear,
  ) {}

  static async open(name: Name, kamailio: Address, hear: Hear): Promise<Actor> {
    const actor = new TcpActor(name, kamailio, hear);
    await actor.ready();
    return actor;
  }

  get place(): string {
    return `${CAST[this.name].ip}:${String(this.connection?.localPort ?? 9)}`;
  }

  async ready(): Promise<boolean> {
    if (this.connection?.writable === true) return false;
    const connection = connect({ ...this.kamailio, localAddress: CAST[this.name].ip, noDelay: true });
    await once(connection, 'connect');
    this.received = '';
    connection.on('error', () => connection.destroy());
    connection.on('data', (data) => this.receive(data.toString('latin1')));
    this.connection = connection;
    return true;
  }

  /** Of several lengths, it takes the last one; Kamailio takes the first one. */
  private receive(text: string): void {
    this.received += text;
    for (;;) {
      const head = this.received.indexOf('\r\n\r\n') + 4;
      const length = parseInt(valuesOf(this.received, 'content-length').at(-1) ?? '0', 10) || 0;
      if (head < 4 || this.received.length < head + length) return;
      const message = this.received.slice(0, head + length);
      this.received = this.received.slice(message.length);
      this.hear(this, message, (answer) => this.send(answer));
    }
  }

  send(text: string): void {
    if (this.connection?.writable === true) this.connection.write(text, 'latin1');
  }

  close(): void {
    this.connection?.destroy();
  }
}
