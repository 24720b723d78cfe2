import { randomUUID } from 'node:crypto';

// The start of the ids of this millisecond.
let start = { time: 0, text: '' };

/**
 * Returns a new request id: a UUID of version 7 (RFC 9562), which begins with the time, so that entries of the history
 * are added to the end of the index on request ids.
 */
export function newRequestId(): string {
  const time = Date.now();
  if (time !== start.time) {
    const digits = time.toString(16).padStart(12, '0');
    start = { time, text: `${digits.slice(0, 8)}-${digits.slice(8)}-7` };
  }
  // A random UUID, with the time and the version in its first 52 bits.
  return start.text + randomUUID().slice(15);
}
