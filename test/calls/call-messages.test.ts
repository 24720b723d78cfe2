import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { startApp } from '../support/app';
import { databases } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { createUser } from '../support/factories';
import { freePort } from '../support/databases/servers';
import { runSql, storeCall } from '../support/databases/sql';

interface Message {
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly firstLine: string;
  readonly headers: readonly string[];
}

/** A packet of HEP version 3 with a SIP message. */
function packetOf(lines: readonly string[], { at = Date.now(), protocol = 1, isReply = false } = {}): Buffer {
  const chunk = (type: number, value: Buffer): Buffer => {
    const head = Buffer.alloc(6);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(6 + value.length, 4);
    return Buffer.concat([head, value]);
  };
  const number = (size: number, value: number): Buffer => {
    const bytes = Buffer.alloc(size);
    bytes.writeUIntBE(value, 0, size);
    return bytes;
  };
  const chunks = Buffer.concat([
    chunk(3, Buffer.from([192, 0, 2, isReply ? 2 : 1])),
    chunk(4, Buffer.from([192, 0, 2, isReply ? 1 : 2])),
    chunk(7, number(2, isReply ? 5080 : 5060)),
    chunk(8, number(2, isReply ? 5060 : 5080)),
    chunk(9, number(4, Math.floor(at / 1000))),
    chunk(10, number(4, (at % 1000) * 1000)),
    chunk(11, number(1, protocol)),
    chunk(15, Buffer.from(lines.join('\r\n'))),
  ]);
  return Buffer.concat([Buffer.from('HEP3'), number(2, 6 + chunks.length), chunks]);
}

describe.each(databases)('Messages of calls, on $name', ({ createDatabase }) => {
  /** Starts an app that receives messages, and a sender of packets. */
  async function collecting(env: Readonly<Record<string, string>> = {}) {
    const { url, drop } = await createDatabase();
    const port = await freePort();
    const HEP_LISTEN = `127.0.0.1:${String(port)}`;
    const app = await startApp({ DATABASE_URL: url, HEP_LISTEN, ...env });
    const socket = createSocket('udp4');
    const send = (packet: Buffer): Promise<void> =>
      new Promise((done, fail) =>
        socket.send(packet, port, '127.0.0.1', (error) => {
          if (error) fail(error);
          else done();
        }),
      );
    const stop = async (): Promise<void> => {
      socket.close();
      await app.close();
    };
    const close = async (): Promise<void> => {
      await stop();
      await drop();
    };
    return { app, url, HEP_LISTEN, send, stop, drop, close };
  }

  test('are received as soon as nothing else has the address', async () => {
    const { url, drop } = await createDatabase();
    const port = await freePort();
    const other = createSocket('udp4').bind(port, '127.0.0.1');
    await once(other, 'listening');
    const app = await startApp({ DATABASE_URL: url, HEP_LISTEN: `127.0.0.1:${String(port)}` });
    await new Promise<void>((done) => void other.close(() => done()));
    const sender = createSocket('udp4');
    const lines = ['SIP/2.0 180 Ringing', 'f: <sip:anna@one.test>;tag=a', 'i: late', 'CSeq: 2 INVITE', ''];
    await eventually(20, async () => {
      sender.send(packetOf(lines), port, '127.0.0.1');
      expect(await runSql(url, 'SELECT id FROM call_messages')).not.toEqual([]);
    });
    sender.close();
    await app.close();
    await drop();
  });

  test('are kept for an hour without bodies and secrets, bounded, and viewers get none of those with shortened numbers', async () => {
    const { app, url, HEP_LISTEN, send, stop, drop } = await collecting({ CALLS_PRIVACY: 'on' });
    const read = async (token?: string): Promise<readonly Message[]> => {
      const { data } = await app.graphql<{ calls: { nodes: { messages: readonly Message[] }[] } }>(
        '{ calls { nodes { messages { at from to firstLine headers } } } }',
        {},
        { token },
      );
      return data.calls.nodes[0]?.messages ?? [];
    };
    const viewer = (await createUser(app, 'VIEWER')).token;
    await storeCall(url, { callId: 'ladder' });
    const now = Date.now();
    const common = ['f: <sip:anna:pass-word@one.test>;tag=a', 'i: ladder', 'CSeq: 2 INVITE'];
    await send(
      packetOf(
        [
          ...['INVITE sip:bert@one.test SIP/2.0', ...common, 'Proxy-Authorization: Digest response="top-secret"'],
          ...[
            'X-Token: top-secret',
            'Subject: one',
            ' top-secret',
            'Content-Type: application/sdp',
            '',
            'a=top-secret',
          ],
        ],
        { at: now },
      ),
    );
    await send(packetOf(['SIP/2.0 180 Ringing', ...common, ''], { at: now + 5 }));
    // Hiding makes this line longer than the server's column, which refuses it.
    await send(
      packetOf([`INVITE sip:${'?<'.repeat(245)} SIP/2.0`, 'Call-ID: other', 'CSeq: 1 INVITE', ''], { at: now + 5 }),
    );
    await send(packetOf(['SIP/2.0 200 OK', ...common, ''], { at: now + 6 }));
    // What belongs to no call, is not SIP, or is malformed, is not kept.
    await send(packetOf(['REGISTER sip:one.test SIP/2.0', 'Call-ID: ladder', 'CSeq: 1 REGISTER', '']));
    await send(packetOf(['INVITE sip:x SIP/2.0', ...common], { protocol: 5 }));
    for (const wrong of ['', 'HEP3', 'HEP3\0\x08\0\0', 'nothing at all']) await send(Buffer.from(wrong));
    await send(packetOf(['INVITE sip:x SIP/2.0', ...common]).subarray(0, 60));
    await eventually(20, async () => expect(await read()).toHaveLength(3));
    expect(await read()).toEqual([
      {
        at: new Date(now).toISOString(),
        from: '192.0.2.1:5060',
        to: '192.0.2.2:5080',
        firstLine: 'INVITE sip:bert@one.test SIP/2.0',
        headers: [
          ...['From: <sip:anna:…@one.test>;tag=a', 'Call-ID: ladder', 'CSeq: 2 INVITE', 'Proxy-Authorization: …'],
          ...['X-Token: …', 'Subject: …', 'Content-Type: application/sdp'],
        ],
      },
      expect.objectContaining({ firstLine: 'SIP/2.0 180 Ringing' }),
      expect.objectContaining({ firstLine: 'SIP/2.0 200 OK' }),
    ]);
    expect(JSON.stringify(await runSql(url, 'SELECT first_line, headers FROM call_messages'))).not.toMatch(
      /top-secret|pass-word/,
    );
    expect(await read(viewer)).toEqual([]);
    for (let n = 0; n < 70; n++) await send(packetOf(['SIP/2.0 183 Progress', ...common, ''], { at: now + 10 + n }));
    await eventually(20, async () => expect(await read()).toHaveLength(60));
    await stop();
    // Another start deletes what is older than an hour.
    await runSql(url, 'UPDATE call_messages SET at = at - 3700000');
    const next = await startApp({ DATABASE_URL: url, HEP_LISTEN });
    await eventually(20, async () => expect(await runSql(url, 'SELECT id FROM call_messages')).toEqual([]));
    await next.close();
    await drop();
  });

  test('may have headers with the names of members of every object', async () => {
    const { app, url, send, close } = await collecting();
    await storeCall(url, { callId: 'odd' });
    const headers = ['Call-ID: odd', 'CSeq: 1 INVITE', 'Constructor: a', '__proto__: b', 'toString: c', ''];
    const packet = packetOf(['INVITE sip:a@b SIP/2.0', ...headers], { at: Date.now() });
    await send(packet);
    await eventually(20, async () => {
      const { data } = await app.graphql('{ calls { nodes { messages { headers } } } }');
      const kept = ['Call-ID: odd', 'CSeq: 1 INVITE', 'Constructor: …', '__proto__: …', 'toString: …'];
      expect(data).toEqual({ calls: { nodes: [{ messages: [{ headers: kept }] }] } });
    });
    await close();
  });

  test('are at most 60, the first ones, although they have many From tags', async () => {
    const { app, url, send, close } = await collecting();
    for (const callId of ['flood', 'last']) await storeCall(url, { callId });
    const start = Date.now();
    const sendOf = (callId: string, n: number): Promise<void> => {
      const headers = [
        `Call-ID: ${callId}`,
        `From: <sip:a@one.test>;tag=${String(n)}`,
        `CSeq: ${String(n)} INVITE`,
        '',
      ];
      const packet = packetOf([`INVITE sip:${String(n)} SIP/2.0`, ...headers], { at: start + n });
      return send(packet);
    };
    for (let n = 0; n < 90; n++) await sendOf('flood', n);
    await sendOf('last', 90);
    await eventually(20, async () => {
      const { data } = await app.graphql<{ calls: { nodes: { callId: string; messages: readonly Message[] }[] } }>(
        '{ calls { nodes { callId messages { firstLine } } } }',
      );
      const lines = data.calls.nodes.map(({ callId, messages }) => [callId, messages.map((each) => each.firstLine)]);
      expect(Object.fromEntries(lines)).toEqual({
        flood: Array.from({ length: 60 }, (_, n) => `INVITE sip:${String(n)} SIP/2.0`),
        last: ['INVITE sip:90 SIP/2.0'],
      });
    });
    await close();
  });

  test('come in the order in which they were sent, although the SIP server notes one after it has left', async () => {
    const { app, url, send, close } = await collecting();
    await storeCall(url, { callId: 'ladder' });
    const start = Date.now();
    // The order of this table is the right one. The times are those that the SIP server notes.
    const sent: readonly [line: string, cseq: string, isReply: boolean, at: number][] = [
      ['INVITE sip:a SIP/2.0', '1 INVITE', false, 0],
      ['SIP/2.0 407 Proxy Authentication Required', '1 INVITE', true, 30],
      ['ACK sip:a SIP/2.0', '1 ACK', false, 21],
      ['INVITE sip:a SIP/2.0', '2 INVITE', false, 20],
      ['SIP/2.0 180 Ringing', '2 INVITE', true, 40],
      ['INVITE sip:a SIP/2.0', '2 INVITE', false, 50],
      ['SIP/2.0 200 OK', '2 INVITE', true, 70],
      ['ACK sip:a SIP/2.0', '2 ACK', false, 60],
      ['BYE sip:a SIP/2.0', '3 BYE', false, 90],
      ['SIP/2.0 200 OK', '3 BYE', true, 80],
      // So late that it is another message with the same number.
      ['SIP/2.0 486 Busy Here', '2 INVITE', true, 5000],
    ];
    for (const [line, cseq, isReply, at] of sent) {
      const packet = packetOf([line, 'Call-ID: ladder', `CSeq: ${cseq}`, ''], { at: start + at, isReply });
      await send(packet);
    }
    await eventually(20, async () => {
      const { data } = await app.graphql<{ calls: { nodes: { messages: readonly Message[] }[] } }>(
        '{ calls(where: { callId: "ladder" }) { nodes { messages { firstLine headers } } } }',
      );
      const messages = data.calls.nodes[0]?.messages ?? [];
      expect(messages.map(({ firstLine, headers }) => [firstLine, headers[1]])).toEqual(
        sent.map(([line, cseq]) => [line, `CSeq: ${cseq}`]),
      );
    });
    await close();
  });
});
