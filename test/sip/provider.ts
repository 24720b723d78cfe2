import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** The response to a request, as a provider sends it. */
export function responseTo(request: string, status: string): string {
  const lines = request.split('\r\n');
  const kept = lines.filter((line) => /^(Via|From|Call-ID|CSeq):/.test(line));
  const to = lines.find((line) => line.startsWith('To:')) ?? '';
  return [`SIP/2.0 ${status}`, ...kept, `${to};tag=t`, 'Content-Length: 0', '', ''].join('\r\n');
}

/** A provider that responds to OPTIONS, or does not. */
export class Provider {
  /** The status with which it responds; undefined if it stays silent. */
  status: string | undefined;
  /** When each OPTIONS arrived, by Call-ID. Retransmissions are not counted. */
  readonly heard = new Map<string, number>();
  /** All requests that it received. */
  readonly requests: string[] = [];

  private constructor(
    private readonly socket: Socket,
    readonly host: string,
    /** The socket that sends the responses. */
    private readonly from: Socket,
  ) {
    socket.on('message', (data: Buffer, { address, port }) => {
      const request = data.toString();
      this.requests.push(request);
      const callId = /^Call-ID: (.*)$/m.exec(request)?.[1] ?? '';
      if (!this.heard.has(callId)) this.heard.set(callId, Date.now());
      if (this.status !== undefined) this.from.send(responseTo(request, this.status), port, address);
    });
  }

  /** Opens a provider at an address, whose responses come from another address if `elsewhere` is one. */
  static async open(host: string, status?: string, elsewhere?: string): Promise<Provider> {
    const open = async (address: string): Promise<Socket> => {
      const socket = createSocket('udp4').bind(0, address);
      await once(socket, 'listening');
      return socket;
    };
    const socket = await open(host);
    const provider = new Provider(socket, host, elsewhere === undefined ? socket : await open(elsewhere));
    provider.status = status;
    return provider;
  }

  get port(): number {
    return this.socket.address().port;
  }

  close(): void {
    this.socket.close();
    if (this.from !== this.socket) this.from.close();
  }
}
