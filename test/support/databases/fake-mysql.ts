import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What a server does with a statement that selects. It may respond with `rowsOf`. */
export type Behaviour = (sql: string, socket: Socket) => void;

/** A server that speaks as much of the protocol of MySQL as a client needs that reads rows, and else does what a test wants. */
export interface FakeMysql {
  readonly url: string;
  /** The number of open connections. */
  readonly open: number;
  behave: Behaviour;
  /** The first packet of each connection. */
  greeting: Buffer;
  close(): Promise<void>;
}

const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
const END = Buffer.from([0xfe, 0, 0, 2, 0]);
const COM_QUERY = 3;
// Protocol 10 and its secure authentication, whatever the password.
const CAPABILITIES = Buffer.from([0x8f, 0xa2]);
const GREETING = Buffer.concat([
  Buffer.from('\x0a8.0.0\0\x01\0\0\0abcdefgh\0'),
  CAPABILITIES,
  Buffer.from([45, 2, 0, 8, 0, 21]),
  Buffer.alloc(10),
  Buffer.from('ijklmnopqrst\0mysql_native_password\0'),
]);

export async function fakeMysql(): Promise<FakeMysql> {
  const sockets = new Set<Socket>();
  const fake = { behave: (_: string, socket: Socket): unknown => socket.destroy(), greeting: packet(0, GREETING) };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.write(fake.greeting);
    let isGreeted = false;
    socket.on('data', (data) => {
      const sql = data.toString('utf8', 5);
      if (isGreeted && data[4] === COM_QUERY && sql.startsWith('SELECT')) fake.behave(sql, socket);
      else socket.write(packet(isGreeted ? 1 : 2, OK));
      isGreeted = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.defineProperty(
    Object.assign(fake, {
      url: `mysql://reader:a-secret@127.0.0.1:${String(port)}/kamailio`,
      open: 0,
      close: async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    }),
    'open',
    { get: () => sockets.size },
  );
}

/** A packet with which a server refuses a connection or a statement, but keeps the connection. */
export const REFUSAL = packet(0, Buffer.from('\xff\x10\x04#08004Too many connections', 'latin1'));

/** A response with rows of text. */
export function rowsOf(columns: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  const definitions = columns.map((name) =>
    Buffer.concat([
      ...['def', 'x', 't', 't', name, name].map(text),
      Buffer.from([0x0c, 45, 0, 0, 0, 1, 0, 0xfd, 0, 0, 0, 0, 0]),
    ]),
  );
  const parts = [
    Buffer.from([columns.length]),
    ...definitions,
    END,
    ...rows.map((row) => Buffer.concat(row.map(text))),
    END,
  ];
  return Buffer.concat(parts.map((part, index) => packet(index + 1, part)));
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}

function packet(number: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = number & 0xff;
  return Buffer.concat([head, content]);
}
