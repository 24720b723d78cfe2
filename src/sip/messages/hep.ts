import ipaddr from 'ipaddr.js';

/** A SIP message that the SIP server received or sent. */
export interface Captured {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** IP address and port, such as `192.0.2.1:5060`. */
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** The chunks of HEP version 3 that are read (HEP3 network protocol, section 4). */
const CHUNK = {
  ipv4From: 3,
  ipv4To: 4,
  ipv6From: 5,
  ipv6To: 6,
  portFrom: 7,
  portTo: 8,
  seconds: 9,
  microseconds: 10,
  protocol: 11,
  payload: 15,
} as const;
const SIP = 1;
const HEADER = 6;

/** Reads a packet of HEP version 3. Returns undefined for one that is malformed, or has no SIP message. */
export function capturedIn(packet: Buffer): Captured | undefined {
  if (packet.length < HEADER || packet.toString('latin1', 0, 4) !== 'HEP3' || packet.readUInt16BE(4) !== packet.length)
    return undefined;
  const chunks = new Map<number, Buffer>();
  for (let at = HEADER; at < packet.length;) {
    if (packet.length - at < HEADER) return undefined;
    const [vendor, type, length] = [packet.readUInt16BE(at), packet.readUInt16BE(at + 2), packet.readUInt16BE(at + 4)];
    if (length < HEADER || at + length > packet.length) return undefined;
    if (vendor === 0) chunks.set(type, packet.subarray(at + HEADER, at + length));
    at += length;
  }
  const number = (type: number): number => {
    const chunk = chunks.get(type);
    return chunk && chunk.length > 0 && chunk.length <= 4 ? chunk.readUIntBE(0, chunk.length) : 0;
  };
  const payload = chunks.get(CHUNK.payload);
  if (!payload || number(CHUNK.protocol) !== SIP) return undefined;
  const [from, to] = [
    addressOf(chunks.get(CHUNK.ipv4From), chunks.get(CHUNK.ipv6From), number(CHUNK.portFrom)),
    addressOf(chunks.get(CHUNK.ipv4To), chunks.get(CHUNK.ipv6To), number(CHUNK.portTo)),
  ];
  if (from === undefined || to === undefined) return undefined;
  const at = number(CHUNK.seconds) * 1000 + Math.floor(number(CHUNK.microseconds) / 1000);
  return { at, from, to, text: payload.toString() };
}

function addressOf(ipv4: Buffer | undefined, ipv6: Buffer | undefined, port: number): string | undefined {
  if (ipv4?.length === 4) return `${ipv4.join('.')}:${String(port)}`;
  return ipv6?.length === 16 ? `[${ipaddr.fromByteArray([...ipv6]).toString()}]:${String(port)}` : undefined;
}
