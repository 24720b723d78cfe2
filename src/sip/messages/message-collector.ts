import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { places } from '../../database/sql';
import { logFailure } from '../../log';
import { capturedIn, type Captured } from './hep';
import { keptHeadersOf, type KeptHeaders } from './kept-headers';

const HOUR = 3_600_000;
const INTERVAL = 500;
/** How far the clock of another host may be off, in milliseconds: it decides when the message is deleted. */
const MOST_OFF = 60_000;
/** Messages and characters of a call, and calls that are remembered for that. */
const MOST_OF_CALL = 60;
const MOST_CHARACTERS = 64 * 1024;
const MOST_CALLS = 20_000;
/** Larger SIP messages are refused by the SIP server. */
const MOST_BYTES = 16_384 + 512;
/** Messages that wait to be written. */
const MOST_WAITING = 5000;
/** Bytes that are received in a second, on average, and at once. Anybody can send messages to the SIP server. */
const BYTES_PER_SECOND = 256 * 1024;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** What a message costs at least. */
const LEAST = 1024;
const BATCH = 100;
/** Milliseconds until the address is bound again after an error, such as when another process still has it. */
const BIND_AGAIN = 3000;

type Message = Pick<Captured, 'at' | 'from' | 'to'> & Pick<KeptHeaders, 'callId' | 'firstLine' | 'headers'>;

/**
 * Keeps the messages of calls for an hour. It receives what the SIP server sends for traces (HEP version 3 over UDP), so the SIP
 * server never waits for it. Bodies and secrets are removed before anything is stored, and what exceeds the limits is lost.
 */
export class MessageCollector {
  private socket: Socket;
  private binding: NodeJS.Timeout | undefined;
  private isFailing = false;
  private readonly task = new RepeatedTask(
    () => this.run(),
    INTERVAL,
    (error) => logFailure(this.logger, error, 'cannot store the messages of calls'),
  );
  private readonly calls = new LRUCache<string, { messages: number; characters: number }>({
    max: MOST_CALLS,
    ttl: HOUR,
  });
  private waiting: Message[] = [];
  private credit = BYTES_AT_ONCE;
  private creditedAt = performance.now();
  private lost = 0;

  /** `address` is host:port, with an IP address. */
  constructor(
    private readonly database: Database,
    address: string,
    private readonly logger: Logger,
  ) {
    const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
    this.socket = this.open(host, Number(port));
    this.task.start();
  }

  async close(): Promise<void> {
    if (this.binding) clearTimeout(this.binding);
    else this.socket.close();
    await this.task.close();
  }

  /** Receives messages, and opens another socket some seconds after one has failed. */
  private open(host: string, port: number): Socket {
    this.binding = undefined;
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.on('message', (packet) => {
      try {
        this.take(packet);
      } catch (error) {
        // Whoever can send a SIP message chooses what is in it.
        this.logger.error({ err: error }, 'a message of a call cannot be read');
      }
    });
    socket.on('listening', () => (this.isFailing = false));
    socket.on('error', (error) => {
      if (!this.isFailing) this.logger.error({ err: error }, 'cannot receive the messages of calls (HEP_LISTEN)');
      this.isFailing = true;
      socket.close();
      this.binding = setTimeout(() => (this.socket = this.open(host, port)), BIND_AGAIN).unref();
    });
    return socket.bind(port, host).unref();
  }

  private take(packet: Buffer): void {
    const passed = performance.now() - this.creditedAt;
    this.credit = Math.min(BYTES_AT_ONCE, this.credit + (passed * BYTES_PER_SECOND) / 1000);
    this.creditedAt += passed;
    if (this.credit < LEAST || this.waiting.length >= MOST_WAITING || packet.length > MOST_BYTES) {
      this.lost++;
      return;
    }
    this.credit -= Math.max(LEAST, packet.length);
    const captured = capturedIn(packet);
    const kept = captured && keptHeadersOf(captured.text);
    if (!kept) return;
    const { callId, fromTag, firstLine, headers } = kept;
    // Whoever knows a Call-ID can send messages with it, but hardly with the tag.
    const key = createHash('sha256').update(`${callId} ${fromTag}`).digest('base64');
    const call = this.calls.get(key) ?? { messages: 0, characters: 0 };
    if (call.messages === 0) this.calls.set(key, call);
    call.messages++;
    call.characters += firstLine.length + headers.length;
    if (call.messages > MOST_OF_CALL || call.characters > MOST_CHARACTERS) return;
    const now = Date.now();
    const at = Math.abs(captured.at - now) < MOST_OFF ? captured.at : now;
    this.waiting.push({ at, from: captured.from, to: captured.to, callId, firstLine, headers });
  }

  private async run(): Promise<void> {
    await this.write();
    if (this.lost > 0) this.logger.warn({ lost: this.lost }, 'messages of calls were not kept: there were too many');
    this.lost = 0;
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH);
      await this.database.maintenance.transaction((transaction) =>
        transaction.run(
          `INSERT INTO call_messages (call_id, at, sender, receiver, first_line, headers)
           VALUES ${batch.map(() => `(${places(6)})`).join(', ')}`,
          batch.flatMap(({ callId, at, from, to, firstLine, headers }) => [callId, at, from, to, firstLine, headers]),
        ),
      );
      this.waiting = this.waiting.slice(batch.length);
    }
  }
}
