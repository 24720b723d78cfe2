import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import { places } from '../../database/sql';
import { trimRows } from '../../database/trim-rows';
import { capturedIn, type Captured } from './hep';
import { keptHeadersOf, type KeptHeaders } from './kept-headers';

const HOUR = 3_600_000;
const INTERVAL = 500;
const TRIM_INTERVAL = 60_000;
/** Messages and characters of a call, and calls that are remembered for that. */
const MOST_OF_CALL = 60;
const MOST_CHARACTERS = 64 * 1024;
const MOST_CALLS = 20_000;
/** Messages that wait to be written, and that are kept in a second, on average. */
const MOST_WAITING = 5000;
const MOST_PER_SECOND = 200;
const BATCH = 100;

type Message = Captured & KeptHeaders;

/**
 * Keeps the messages of calls for an hour. It receives what the SIP server sends for traces (HEP version 3 over UDP), so the SIP
 * server never waits for it. Bodies and secrets are removed before anything is stored, and what exceeds the limits is lost.
 */
export class MessageCollector {
  private readonly socket: Socket;
  private readonly task = new RepeatedTask(
    () => this.run(),
    INTERVAL,
    (error) => this.logger.warn({ err: error }, 'cannot store the messages of calls'),
  );
  private readonly calls = new LRUCache<string, { messages: number; characters: number }>({
    max: MOST_CALLS,
    ttl: HOUR,
  });
  private waiting: Message[] = [];
  private credit = MOST_WAITING;
  private creditedAt = Date.now();
  private lost = 0;
  private trimmedAt = 0;

  /** `address` is host:port, with an IP address. */
  constructor(
    private readonly database: Database,
    address: string,
    private readonly logger: Logger,
  ) {
    const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
    this.socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    this.socket.on('message', (packet) => this.take(packet));
    this.socket.on('error', (error) =>
      logger.error({ err: error }, 'cannot receive the messages of calls (HEP_LISTEN)'),
    );
    this.socket.bind(Number(port), host);
    this.socket.unref();
    this.task.start();
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.task.close();
  }

  private take(packet: Buffer): void {
    const now = Date.now();
    this.credit = Math.min(MOST_WAITING, this.credit + ((now - this.creditedAt) * MOST_PER_SECOND) / 1000);
    this.creditedAt = now;
    if (this.credit < 1 || this.waiting.length >= MOST_WAITING) {
      this.lost++;
      return;
    }
    const captured = capturedIn(packet);
    const kept = captured && keptHeadersOf(captured.text);
    if (!kept) return;
    const call = this.calls.get(kept.callId) ?? { messages: 0, characters: 0 };
    if (call.messages === 0) this.calls.set(kept.callId, call);
    call.messages++;
    call.characters += kept.firstLine.length + kept.headers.length;
    if (call.messages > MOST_OF_CALL || call.characters > MOST_CHARACTERS) return;
    this.credit--;
    // The clock of another host may be wrong, and decides when the message is deleted.
    const at = Math.abs(captured.at - now) < TRIM_INTERVAL ? captured.at : now;
    this.waiting.push({ ...captured, ...kept, at });
  }

  private async run(): Promise<void> {
    await this.write();
    await this.trim();
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

  private async trim(): Promise<void> {
    const now = Date.now();
    if (now - this.trimmedAt < TRIM_INTERVAL) return;
    this.trimmedAt = now;
    if (this.lost > 0) this.logger.warn({ lost: this.lost }, 'messages of calls were not kept: there were too many');
    this.lost = 0;
    await trimRows(this.database.maintenance, 'call_messages', `at < ${String(now - HOUR)}`, 'at');
  }
}
